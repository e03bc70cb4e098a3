/** The colours and the font of the user's theme, for what cannot be styled from outside. */

/** What a diagram is drawn in. */
export interface Look {
  isDark: boolean;
  font: string;
  background: string;
  text: string;
  line: string;
  border: string;
  node: string;
  group: string;
}

/** Returns the look of the theme that is on now. */
export function currentLook(): Look {
  const { classList } = document.body;
  const isContrast = classList.contains("vscode-high-contrast");
  const isDark =
    classList.contains("vscode-dark") ||
    (isContrast && !classList.contains("vscode-high-contrast-light"));
  const style = getComputedStyle(document.body);
  const colour = (fallback: string, ...names: string[]): string =>
    names
      .map((name) => style.getPropertyValue(`--vscode-${name}`).trim())
      .find((value) => value !== "") ?? fallback;
  const text = colour(isDark ? "#cccccc" : "#333333", "editor-foreground");
  const background = colour(isDark ? "#1e1e1e" : "#ffffff", "editor-background");
  const contrast = isContrast ? ["contrastBorder"] : [];
  return {
    isDark,
    font: style.fontFamily,
    background,
    text,
    line: colour(text, "descriptionForeground"),
    border: colour(text, ...contrast, "input-border", "panel-border", "widget-border"),
    node: isContrast ? background : colour(background, "editorWidget-background"),
    group: isContrast ? background : colour(background, "sideBar-background"),
  };
}
