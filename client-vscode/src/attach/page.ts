/** Answers what the ask box of a page wants to know. */
import * as vscode from "vscode";
import type { FromAskBox, ToAskBox } from "../panel/messages";
import { resourceOf } from "./gather";
import type { Names } from "./names";

/** Looks up what is named, or what was dropped, and sends it to the page. */
export async function answerAskBox(
  message: FromAskBox,
  names: Names,
  post: (message: ToAskBox) => void,
): Promise<void> {
  if (message.type === "suggest") {
    post({ type: "suggested", name: message.name, items: await names.suggestions(message.name) });
    return;
  }
  const found = await Promise.all(message.uris.map((uri) => resourceOf(vscode.Uri.parse(uri))));
  post({ type: "attach", items: found.filter((item) => item !== undefined) });
}
