// `@scope` in the editor's chat: a checked answer, what is attached, and a question that follows up.
import path from "node:path";
import { check, equal, matches } from "../lib/assert.mjs";
import { configure } from "../lib/configure.mjs";
import { DOCUMENT, ENOUGH, FIRST, ScriptedModel } from "../lib/model.mjs";
import { shotsInThemes } from "../lib/theme.mjs";
import { actUntil, clickUntil, until } from "../lib/wait.mjs";

const box = (w) => w.page.locator(".interactive-session .chat-input-container .monaco-editor").first();
const requests = (w) => w.page.locator(".interactive-session .interactive-item-container.interactive-request");
const answers = (w) => w.page.locator(".interactive-session .interactive-item-container.interactive-response");

// The chat asks its participants only where there is a model, which Scope does not need here.
async function opens(w, { ws, e2e }) {
  new ScriptedModel(e2e).script([FIRST]);
  await w.showFolder(path.join(ws, "shop"));
  await w.closeAll();
  await configure(w, { "chat.disableAIFeatures": false });
  await w.openFile("shop/cart.py");
  await until(60_000, "the chat to open", async () => {
    await w.page.keyboard.press("Control+Alt+I");
    await box(w).waitFor({ timeout: 5_000 });
    return true;
  });
}

// The first request starts the model's extension, and is refused if that takes too long. The answer is that to these very
// words: what was answered before may hold what is wanted too, and the new answer is not whole then.
async function says(w, words, wanted) {
  const asked = words.replace(/^@\w+ (?:\/\w+ )?/, "").trim();
  const act = async () => {
    await box(w).click({ timeout: 4_000 });
    await w.page.keyboard.press("Control+A");
    await w.page.keyboard.type(words, { delay: 30 });
    await w.page.keyboard.press("Escape"); // The list of participants may be open.
    await w.page.keyboard.press("Enter");
  };
  return actUntil(`an answer to ${words}`, act, async () => {
    const request = await requests(w).last().innerText({ timeout: 2_000 });
    const text = await answers(w).last().innerText({ timeout: 2_000 });
    return request.includes(asked) && wanted.test(text) && /Open as Document/.test(text) && text;
  });
}

async function answersInChat(w, places) {
  await opens(w, places);
  const text = await says(w, "@scope /uses require_login ", /is used at 2 places[\s\S]*These are all/);
  check(!/<!--|scan_date|<details>|"mark"/.test(text), `what is for programs is shown: ${text.slice(0, 400)}`);
  await w.shot("chat");
  const link = async () => answers(w).last().locator("a", { hasText: /cart\.py:24/ }).first();
  await clickUntil("the cited line", link, () => w.isSelected("cart.py", 24, 24));
  const next = await says(w, "@scope Who calls find_session?", /find_session/);
  matches(next, /Follows up on Who uses require_login/, "a second question");
}

// What was answered without a model is offered to the chat's own, which is asked when somebody takes the offer.
async function asksItsModel(w, places) {
  await opens(w, places);
  const model = new ScriptedModel(places.e2e);
  model.script([FIRST], ENOUGH, DOCUMENT);
  const first = await says(w, "@scope Where is the password of a user checked?", /login\.py:\d+/);
  equal(model.requests.length, 0, "requests that nobody wanted");
  matches(first, /references verified · (?:under )?[\d.]+\ss · offline, no model/, "who answered");
  const offer = async () => w.page.locator(".interactive-session .monaco-button", { hasText: "Answer with First Model" }).last();
  await (await offer()).waitFor();
  await w.shot("chat-offer");
  const text = await clickUntil("an answer by the chat's model", offer, async () => {
    const shown = await answers(w).last().innerText({ timeout: 2_000 });
    return /scripted\/First Model · 2 calls/.test(shown) && shown;
  });
  matches(text, /compares the hash of the password/, "the model's words");
  equal(model.requests.length, 2, "requests");
  const link = async () => answers(w).last().locator("a", { hasText: "login.py:19-28" }).first();
  await clickUntil("the cited lines", link, () => w.isSelected("login.py", 19, 28));
  await w.shot("chat-model");
  await shotsInThemes(w, "chat");
  await configure(w, { "chat.disableAIFeatures": true });
}

export const scenarios = {
  "an answer with links, nothing that is for programs, and a follow-up": answersInChat,
  "the chat's own model answers where it is asked to": asksItsModel,
};
