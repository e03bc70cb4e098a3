/** The words in which the user is asked before something is sent or run. */
import type { ApproveParams } from "../protocol";

const MOST_FILES = 12; // more would push the buttons off a small screen

/** Returns the question. */
export function approveQuestion({ tool, model }: ApproveParams): string {
  return model === ""
    ? `May the model call the tool ${tool}?`
    : `May this request be sent to ${model}?`;
}

/** Returns what it is about: who, what kinds, how much, whose, where to. */
export function approveDetail(params: ApproveParams): string {
  const { tool, scopes, tokens, files, host, model } = params;
  return [
    `Tool: ${tool}`,
    `Sees: ${scopes.length === 0 ? "nothing of the context" : scopes.join(", ").replaceAll("_", " ")}`,
    tokens === 0 ? "" : `How much: about ${tokens.toLocaleString()} tokens`,
    `Goes to: ${model === "" ? "nowhere, it stays on this machine" : host === "" ? model : `${model} (${host})`}`,
    files.length === 0 ? "" : `Code of ${listed(files)}`,
  ]
    .filter((line) => line !== "")
    .join("\n");
}

function listed(files: readonly string[]): string {
  const more = files.length - MOST_FILES;
  const shown = files.slice(0, MOST_FILES).join(", ");
  return more > 0 ? `${shown} and ${more} more` : shown;
}
