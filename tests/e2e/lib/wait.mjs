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

// Clicks until the effect is seen, and returns what that is. The editor may swap the frame of a webview at any moment, as for
// a preview that is drawn anew, so what is clicked is found anew each time.
export function clickUntil(what, find, effect, limitMs = 90_000) {
  return actUntil(what, async () => (await find()).click({ timeout: 4_000 }), effect, limitMs);
}

// The same with any act that may be repeated.
export function actUntil(what, act, effect, limitMs = 90_000) {
  return until(limitMs, what, async () => {
    const lost = await act().then(
      () => undefined,
      (error) => error,
    );
    // What was clicked may be gone because the click before had its effect late.
    return until(lost === undefined ? 8_000 : 500, what, effect).catch((error) => {
      throw lost ?? error;
    });
  });
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
