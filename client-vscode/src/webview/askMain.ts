/** The page of the side bar's ask box. */
import type { FromAskPage, ToAskBox } from "../panel/messages";
import { Composer } from "./composer";

declare function acquireVsCodeApi(): { postMessage: (message: FromAskPage) => void };

const vscode = acquireVsCodeApi();
const send = (message: FromAskPage): void => vscode.postMessage(message);
const composer = new Composer(send, (question, attached) =>
  send({ type: "ask", question, attached }),
);

window.addEventListener("message", ({ data }: MessageEvent<ToAskBox>) => {
  if (data.type === "suggested") {
    composer.suggest(data.name, data.items);
  } else {
    composer.attach(data.items);
    composer.focus();
  }
});
window.addEventListener("focus", () => composer.focus());
composer.show(true, false);
send({ type: "ready" });
