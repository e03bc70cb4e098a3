// Changes settings through the editor itself, which tells everybody of it before the next thing is done; a file that is
// written behind its back is read later, or never.
import fs from "node:fs";
import path from "node:path";
import { actUntil } from "./wait.mjs";

// Settings that are undefined go back to their defaults. `target` is "user", which for settings of the machine means those,
// or "workspace".
export async function configure(w, values, target = "user") {
  const folder = path.join(w.editor.root, "model");
  const result = path.join(folder, "configure-result.json");
  const given = Object.entries(values).map(([name, value]) => [name, value ?? null]);
  const ask = async () => {
    fs.rmSync(result, { force: true });
    fs.writeFileSync(path.join(folder, "configure.json"), JSON.stringify({ values: given, target }));
    await w.command("Scripted: Configure as the File Says");
  };
  const told = await actUntil(`the settings ${JSON.stringify(values)}`, ask, async () => {
    return fs.existsSync(result) && JSON.parse(fs.readFileSync(result, "utf8"));
  });
  if (told.error !== undefined) throw new Error(`the settings were refused: ${told.error}`);
}
