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

// Chooses from a menu that is open. A click that comes within some tenths of a second after the menu is taken for the end of
// the click that opened it.
export async function chooseFromMenu(w, text) {
  const item = w.page.locator(".monaco-menu .action-label", { hasText: text }).first();
  await item.waitFor({ timeout: 4_000 });
  await w.page.waitForTimeout(600);
  await item.hover({ timeout: 4_000 });
  await item.click({ timeout: 4_000 });
}
