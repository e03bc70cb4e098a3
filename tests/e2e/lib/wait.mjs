// Waiting is always for something, with a deadline; there is no sleeping in the scenarios.
const PAUSE_MS = 60;

export async function until(limitMs, what, probe) {
  const end = Date.now() + limitMs;
  let last;
  for (;;) {
    try {
      last = await probe();
      if (last) return last;
    } catch (error) {
      last = error;
    }
    if (Date.now() > end) {
      throw new Error(`waited ${limitMs} ms for ${what}; last: ${String(last?.message ?? last).slice(0, 300)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
