/** The page that shows what a question would send to a model. */
import type { PreviewResult, WirePreviewFile, WirePreviewPhase } from "../protocol";

/** Returns the page as markdown. */
export function previewText(question: string, found: PreviewResult): string {
  return [
    "# What would be sent",
    "This page was made on your machine: no model was called.",
    `**Question:** ${escaped(question)}`,
    `**Model:** ${escaped(found.model)} · **Host:** ${escaped(found.host)} · **Mode:** ${escaped(found.mode)}`,
    scopes(found),
    found.notes.map((note) => `- ${escaped(note)}`).join("\n"),
    ...requests(found.phases),
    ...firstFiles(found.files),
  ]
    .filter((part) => part !== "")
    .join("\n\n")
    .concat("\n");
}

function scopes({ scopes, withheld }: PreviewResult): string {
  const sent = scopes.length === 0 ? "" : `**Scopes sent:** ${scopes.map(escaped).join(", ")}`;
  const kept = withheld.length === 0 ? "" : `**Withheld:** ${withheld.map(escaped).join(", ")}`;
  return [sent, kept].filter(Boolean).join(" · ");
}

function requests(phases: readonly WirePreviewPhase[]): string[] {
  if (phases.length === 0) {
    return [];
  }
  const rows = phases.map(({ name, tokensIn, tokensOut, costUsd, isExact }) => {
    const sent = `${isExact ? "about" : "at most"} ${tokensIn.toLocaleString()}`;
    const price = costUsd === undefined ? "not known" : `at most $${costUsd.toFixed(4)}`;
    return `| ${escaped(name)} | ${sent} | at most ${tokensOut.toLocaleString()} | ${price} |`;
  });
  const head = "| Request | Tokens sent | Tokens received | Price |\n|---|---:|---:|---:|";
  return ["## Requests", [head, ...rows].join("\n")];
}

function firstFiles(files: readonly WirePreviewFile[]): string[] {
  if (files.length === 0) {
    return [];
  }
  const rows = files.map((file) => `| ${escaped(file.path)} | ${shown(file)} | ${struck(file)} |`);
  const head = "| File | What of it | Struck out |\n|---|---|---|";
  return ["## In the first request", [head, ...rows].join("\n")];
}

function shown({ ranges, isOutlined }: WirePreviewFile): string {
  const lines = ranges.map(({ lineStart, lineEnd }) => `${lineStart}–${lineEnd}`).join(", ");
  return [lines === "" ? "" : `lines ${lines}`, isOutlined ? "outline" : ""]
    .filter(Boolean)
    .join("; ");
}

function struck({ redacted }: WirePreviewFile): string {
  return redacted.map(escaped).join(", ");
}

/** Names of files and questions are text, whatever they contain. */
function escaped(text: string): string {
  return text.replace(/[\\`*_{}[\]<>()#|!&]/g, "\\$&").replace(/\s+/g, " ");
}
