// Other colour themes.
import { until } from "./wait.mjs";

// Name in the pictures, id, class of the workbench, and what the list of themes says.
export const THEMES = [
  ["light", "Light Modern", "vs", "Light Modern"],
  ["dark", "Dark Modern", "vs-dark", "Dark Modern"],
  ["contrast", "Default High Contrast", "hc-black", "Dark High Contrast"],
  ["contrast-light", "Default High Contrast Light", "hc-light", "Light High Contrast"],
];

// Chooses a theme while everything stays open, as a user does. The editor writes it into the settings that it read when
// the window was loaded; it does not notice if somebody else has written them since, and refuses.
export async function chooseTheme(w, label, bodyClass) {
  const input = w.page.locator(".quick-input-widget input[type=text]").first();
  await until(60_000, `the theme ${label}`, async () => {
    await w.command("Preferences: Color Theme");
    await w.page.locator(".quick-input-widget .monaco-list-row", { hasText: "Dark Modern" }).first().waitFor({ timeout: 5_000 });
    await input.fill(label, { timeout: 3_000 });
    await w.page.locator(".quick-input-widget .monaco-list-row", { hasText: label }).first().click({ timeout: 5_000 });
    await w.page.locator(`.monaco-workbench.${bodyClass}`).waitFor({ timeout: 5_000 });
    return true;
  });
}

// Sets a theme and other settings, and loads the window anew.
export async function theme(w, name, bodyClass, settings = {}) {
  w.editor.userSettings({ "workbench.colorTheme": name, ...settings });
  // The workbench may read its settings before it notices that the file has changed.
  await until(120_000, `the theme ${name}`, async () => {
    await w.page.reload({ waitUntil: "domcontentloaded" });
    await w.ready();
    return (await w.page.locator(`.monaco-workbench.${bodyClass}`).count()) > 0;
  });
}
