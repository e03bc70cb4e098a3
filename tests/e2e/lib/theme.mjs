// Another colour theme, with the settings that go along with it.
import { until } from "./wait.mjs";

export const THEMES = [
  ["light", "Light Modern", "vs"],
  ["dark", "Dark Modern", "vs-dark"],
  ["contrast", "Default High Contrast", "hc-black"],
  ["contrast-light", "Default High Contrast Light", "hc-light"],
];

export async function theme(w, name, bodyClass, settings = {}) {
  w.editor.userSettings({ "workbench.colorTheme": name, ...settings });
  // The workbench may read its settings before it notices that the file has changed.
  await until(120_000, `the theme ${name}`, async () => {
    await w.page.reload({ waitUntil: "domcontentloaded" });
    await w.ready();
    return (await w.page.locator(`.monaco-workbench.${bodyClass}`).count()) > 0;
  });
}
