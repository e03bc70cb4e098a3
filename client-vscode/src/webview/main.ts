/** The page of the panel: shows what the extension sends, and sends back what the user does. */
import type { FromWebview, ToWebview } from "../panel/messages";
import type { Thread, TurnMeta } from "../panel/thread";
import { asksOrganisation } from "../panel/thread";
import { Composer } from "./composer";
import { Diagrams } from "./diagrams";
import { Hover } from "./hover";
import { Sanitiser } from "./sanitise";
import type { Page } from "./turnView";
import { TurnView } from "./turnView";

/** What survives a reload here; the thread itself is kept by the extension. */
interface Kept {
  id: string;
  scroll: number;
}

declare function acquireVsCodeApi(): {
  postMessage: (message: FromWebview) => void;
  setState: (state: Kept) => void;
  getState: () => Kept | undefined;
};

const KEEP_AFTER_MS = 200; // after the last scrolling

const vscode = acquireVsCodeApi();
const threadElement = byId("thread");
const announcer = byId("announcer");
const nonce =
  document.currentScript instanceof HTMLScriptElement ? document.currentScript.nonce : "";
const send = (message: FromWebview): void => vscode.postMessage(message);
const sanitiser = new Sanitiser(window);
const diagrams = new Diagrams(sanitiser, document.body.dataset.mermaid ?? "", nonce, (text) =>
  send({ type: "copyText", text }),
);
const page: Page = { sanitiser, diagrams, send, modes: [] };
const hover = new Hover(byId("peek"), sanitiser, send);
const composer = new Composer(send, (question, attached) =>
  send({ type: "followUp", question, attached }),
);
const views = new Map<string, TurnView>();
let id = vscode.getState()?.id ?? "";
let keepTimer: number | undefined;
let scrollToRestore = vscode.getState()?.scroll ?? 0;

window.addEventListener("message", (event: MessageEvent<ToWebview>) => receive(event.data));
window.addEventListener("scroll", keepSoon, { passive: true });
document.addEventListener("click", onClick);
document.addEventListener("auxclick", onClick);
document.addEventListener("keydown", onEnter);
send({ type: "ready" });

function receive(message: ToWebview): void {
  switch (message.type) {
    case "thread":
      ({ id } = message);
      showThread(message.thread);
      window.scrollTo(0, scrollToRestore);
      scrollToRestore = 0;
      break;
    case "added":
      showThread(message.thread);
      threadElement.lastElementChild?.scrollIntoView({ block: "start" });
      break;
    case "turns":
      showThread(message.thread);
      break;
    case "modes":
      page.modes = message.modes;
      views.forEach((view) => view.setModes());
      return;
    case "text":
      views.get(message.turn)?.addText(message.text);
      break;
    case "meta":
      views.get(message.turn.id)?.setMeta(message.turn);
      break;
    case "finished":
      views.get(message.turn.id)?.finish(message.turn, message.markdown);
      announce(message.turn);
      updateComposer();
      break;
    case "refreshed":
      views.get(message.turn.id)?.finish(message.turn, message.markdown);
      break;
    case "peeked":
      hover.show(message.request, message.peek);
      return;
    case "suggested":
      composer.suggest(message.name, message.items);
      return;
    case "attach":
      composer.attach(message.items);
      return;
    case "focus":
      [...views.values()].at(-1)?.focus();
      return;
  }
  keepSoon();
}

/** Shows a thread; turns that are already on the page stay as they are. */
function showThread({ turns }: Thread): void {
  const wanted = new Set(turns.map((turn) => turn.id));
  for (const [id, view] of views) {
    if (!wanted.has(id)) {
      view.dispose();
      view.root.remove();
      views.delete(id);
    }
  }
  for (const turn of turns) {
    const view = views.get(turn.id);
    if (view === undefined) {
      const made = new TurnView(page, turn);
      views.set(turn.id, made);
      threadElement.append(made.root);
    }
  }
  updateComposer();
}

function updateComposer(): void {
  const turns = [...views.values()].map((view) => view.turn);
  const isRunning = turns.some((turn) => turn.state === "running");
  composer.show(
    turns.some((turn) => turn.documentUri !== undefined),
    isRunning,
    asksOrganisation({ turns }),
  );
}

/** Says once that the answer is there, never its text. */
function announce({ state, references }: TurnMeta): void {
  const words: Record<TurnMeta["state"], string> = {
    running: "",
    done: `The answer is complete, with ${references.length} references.`,
    cancelled: "Stopped.",
    interrupted: "The answer was interrupted.",
    failed: "The question could not be answered.",
  };
  announcer.textContent = words[state];
}

function onClick(event: MouseEvent): void {
  const link =
    event.target instanceof Element ? event.target.closest<HTMLElement>("[data-href]") : null;
  const turn = link?.closest<HTMLElement>("[data-turn]")?.dataset.turn;
  const href = link?.dataset.href;
  if (turn !== undefined && href !== undefined) {
    event.preventDefault();
    hover.hide();
    send({ type: "open", turn, href, beside: event.ctrlKey || event.metaKey });
  }
}

/** What of a diagram leads to the code is no link of the page, and hears no Enter by itself. */
function onEnter(event: KeyboardEvent): void {
  const { target, key } = event;
  if (key === "Enter" && target instanceof SVGElement) {
    target.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  }
}

function keepSoon(): void {
  keepTimer ??= window.setTimeout(() => {
    keepTimer = undefined;
    if (id === "") {
      return; // nothing is shown yet
    }
    vscode.setState({ id, scroll: window.scrollY });
  }, KEEP_AFTER_MS);
}

function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) {
    throw new Error(`The page has no #${id}.`);
  }
  return found;
}
