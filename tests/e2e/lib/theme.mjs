// Other colour themes.
import { configure } from "./configure.mjs";

// Name in the pictures, id, class of the workbench.
export const THEMES = [
  ["light", "Light Modern", "vs"],
  ["dark", "Dark Modern", "vs-dark"],
  ["contrast", "Default High Contrast", "hc-black"],
  ["contrast-light", "Default High Contrast Light", "hc-light"],
];

// Chooses a theme while everything stays open, as a user does.
export async function chooseTheme(w, [, id, bodyClass]) {
  await configure(w, { "workbench.colorTheme": id });
  await w.page.locator(`.monaco-workbench.${bodyClass}`).waitFor();
}
