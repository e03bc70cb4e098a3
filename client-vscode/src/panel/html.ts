/** The page of the panel. Scripts and styles carry a nonce; nothing is loaded from elsewhere. */
import { randomBytes } from "node:crypto";
import * as vscode from "vscode";

/** Returns the panel's page; all content comes later, by messages. */
export function pageHtml(webview: vscode.Webview, extension: vscode.Uri): string {
  return page(webview, extension, "panel", (asset) => ({
    attributes: ` data-mermaid="${asset("mermaid.js")}"`,
    body: `<header class="hidden-label"><h1>Scope</h1></header>
<main id="thread" aria-label="Questions and answers"></main>
${composerHtml("Ask a follow-up question", "Ask a follow-up…")}
<div id="announcer" class="hidden-label" aria-live="polite"></div>
<div id="peek" role="tooltip" hidden></div>`,
  }));
}

/** Returns the page of the side bar's ask box. */
export function askPageHtml(webview: vscode.Webview, extension: vscode.Uri): string {
  const box = composerHtml("Ask a question about the code", "Ask about the code… (# attaches)");
  return page(webview, extension, "ask", () => ({
    attributes: "",
    body: `<header class="hidden-label"><h1>Scope</h1></header>
<main>${box}</main>`,
  }));
}

// Words for screen readers are not seen even while the style sheet loads.
const HIDDEN_LABEL =
  ".hidden-label{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}";

type Asset = (name: string) => string;

function page(
  webview: vscode.Webview,
  extension: vscode.Uri,
  name: string,
  content: (asset: Asset) => { attributes: string; body: string },
): string {
  const nonce = randomBytes(18).toString("base64");
  const asset: Asset = (file) =>
    webview.asWebviewUri(vscode.Uri.joinPath(extension, "dist", file)).toString();
  const { attributes, body } = content(asset);
  // Diagrams carry inline style attributes, hence style-src-attr; answers lose theirs when sanitised.
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src-elem ${webview.cspSource} 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<style nonce="${nonce}">${HIDDEN_LABEL}</style>
<link rel="stylesheet" href="${asset(`${name}-style.css`)}">
<title>Scope</title>
</head>
<body${attributes}>
${body}
<script nonce="${nonce}" src="${asset(`${name}.js`)}"></script>
</body>
</html>`;
}

/** Returns the box for a question, as both pages have it; its script fills it. */
function composerHtml(label: string, placeholder: string): string {
  return `<form id="composer" aria-label="Question" hidden>
<ul id="suggestions" role="listbox" aria-label="What can be attached" hidden></ul>
<ul id="attached" aria-label="Attached to the question" hidden></ul>
<div class="row">
<label class="hidden-label" for="question">${label}</label>
<textarea id="question" rows="1" placeholder="${placeholder}" maxlength="4000" aria-autocomplete="list" aria-controls="suggestions"></textarea>
<button type="submit" id="send" class="icon" aria-label="Ask" title="Ask (Enter)"></button>
</div>
</form>`;
}
