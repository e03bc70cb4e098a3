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

// Pictures of what is shown in all themes, and of the window at 790 pixels, where what stands beside the code has 370.
export async function shotsInThemes(w, name) {
  for (const theme of [...THEMES.slice(1), THEMES[0]]) {
    await chooseTheme(w, theme);
    await w.shot(`${name}-${theme[0]}`);
  }
  const size = w.page.viewportSize();
  await w.page.setViewportSize({ width: 790, height: 900 });
  await w.shot(`${name}-narrow`);
  await w.page.setViewportSize(size);
}
