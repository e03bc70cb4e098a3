/** The page of the panel. Scripts and styles carry a nonce; nothing is loaded from elsewhere. */
import { randomBytes } from "node:crypto";
import * as vscode from "vscode";

/** Returns the page's HTML; all content comes later, by messages. */
export function pageHtml(webview: vscode.Webview, extension: vscode.Uri): string {
  const nonce = randomBytes(18).toString("base64");
  const asset = (name: string): string =>
    webview.asWebviewUri(vscode.Uri.joinPath(extension, "dist", name)).toString();
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
<link rel="stylesheet" href="${asset("panel-style.css")}">
<title>Scope</title>
</head>
<body data-mermaid="${asset("mermaid.js")}">
<main id="thread" aria-label="Questions and answers"></main>
<form id="composer" hidden>
<label class="hidden-label" for="question">Ask a follow-up question</label>
<textarea id="question" rows="1" placeholder="Ask a follow-up…" maxlength="4000"></textarea>
<button type="submit" id="send" class="icon" aria-label="Ask follow-up" title="Ask Follow-up (Enter)"></button>
</form>
<div id="announcer" class="hidden-label" aria-live="polite"></div>
<div id="peek" role="tooltip" hidden></div>
<script nonce="${nonce}" src="${asset("panel.js")}"></script>
</body>
</html>`;
}
