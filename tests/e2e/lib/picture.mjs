// Pictures of the whole window. With SCREENSHOTS set, docs/images is renewed.
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const images = path.join(path.dirname(fileURLToPath(import.meta.url)), "../../../docs/images");
export const ofExtension = path.join(images, "../../client-vscode/media/pictures");
const SHOWN_THERE = ["panel-light", "side-bar-dark"]; // in the extension's README

export async function picture(w, name) {
  await w.shot(name);
  if (process.env.SCREENSHOTS) {
    fs.mkdirSync(images, { recursive: true });
    await w.page.screenshot({ path: path.join(images, `${name}.png`) });
    if (SHOWN_THERE.includes(name)) {
      fs.mkdirSync(ofExtension, { recursive: true });
      fs.copyFileSync(path.join(images, `${name}.png`), path.join(ofExtension, `${name}.png`));
    }
  }
}
