// Opens a code base that has no index yet: a run on a big one then takes its time.
import fs from "node:fs";
import path from "node:path";
import { serverPids } from "./editor.mjs";
import { until } from "./wait.mjs";

export async function openCold(w, { ws, e2e }, name) {
  await w.page.goto("about:blank");
  await until(60_000, "the servers of closed windows to end", () => serverPids(w.editor).length === 0);
  fs.rmSync(path.join(e2e, "index"), { recursive: true, force: true });
  await w.open(path.join(ws, name));
  await w.closeAll();
}
