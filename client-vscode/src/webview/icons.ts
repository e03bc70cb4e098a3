/** The icons of the panel, from VS Code's own set, as inline drawings. */
import zoomIn from "@vscode/codicons/src/icons/zoom-in.svg";
import zoomOut from "@vscode/codicons/src/icons/zoom-out.svg";
import fit from "@vscode/codicons/src/icons/screen-normal.svg";
import fullScreen from "@vscode/codicons/src/icons/screen-full.svg";
import picture from "@vscode/codicons/src/icons/file-media.svg";
import add from "@vscode/codicons/src/icons/add.svg";
import close from "@vscode/codicons/src/icons/close.svg";
import file from "@vscode/codicons/src/icons/file.svg";
import folder from "@vscode/codicons/src/icons/folder.svg";
import symbol from "@vscode/codicons/src/icons/symbol-method.svg";
import selection from "@vscode/codicons/src/icons/list-selection.svg";
import arrowRight from "@vscode/codicons/src/icons/arrow-right.svg";
import arrowUp from "@vscode/codicons/src/icons/arrow-up.svg";
import changes from "@vscode/codicons/src/icons/git-compare.svg";
import check from "@vscode/codicons/src/icons/check.svg";
import copy from "@vscode/codicons/src/icons/copy.svg";
import document from "@vscode/codicons/src/icons/open-preview.svg";
import error from "@vscode/codicons/src/icons/error.svg";
import info from "@vscode/codicons/src/icons/info.svg";
import refresh from "@vscode/codicons/src/icons/refresh.svg";
import stop from "@vscode/codicons/src/icons/stop-circle.svg";
import warning from "@vscode/codicons/src/icons/warning.svg";

const sources = {
  zoomIn,
  zoomOut,
  fit,
  fullScreen,
  picture,
  add,
  close,
  file,
  folder,
  symbol,
  selection,
  arrowRight,
  arrowUp,
  changes,
  check,
  copy,
  document,
  error,
  info,
  refresh,
  stop,
  warning,
};

export type Icon = keyof typeof sources;

/** Returns an icon that screen readers pass over. */
export function icon(name: Icon): SVGElement {
  const parsed = new DOMParser().parseFromString(sources[name], "image/svg+xml");
  const svg = window.document.importNode(parsed.documentElement, true) as unknown as SVGElement;
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("class", "svg-icon");
  return svg;
}
