/** Scope's operations as tools for the editor's own agents. */
import * as vscode from "vscode";
import type { Session } from "./client";
import { tool } from "./protocol";

const PREFIX = "scope_";
const FEWEST_TOKENS = 200; // what the server's tools take as the least

type Input = Record<string, unknown>;

/** Registers every tool that the manifest announces; the server answers them. */
export function registerTools(
  session: Session,
  extension: vscode.Extension<unknown>,
): vscode.Disposable {
  const manifest = extension.packageJSON as { contributes?: { languageModelTools?: Announced[] } };
  const announced = manifest.contributes?.languageModelTools ?? [];
  return vscode.Disposable.from(
    ...announced.map(({ name, displayName }) =>
      vscode.lm.registerTool<Input>(name, {
        prepareInvocation: () => ({ invocationMessage: displayName }),
        invoke: (options, token) => call(session, name.slice(PREFIX.length), options, token),
      }),
    ),
  );
}

interface Announced {
  name: string;
  displayName: string;
}

async function call(
  session: Session,
  name: string,
  { input, tokenizationOptions }: vscode.LanguageModelToolInvocationOptions<Input>,
  token: vscode.CancellationToken,
): Promise<vscode.LanguageModelToolResult> {
  const client = vscode.workspace.isTrusted ? await session.running() : undefined;
  if (client === undefined) {
    throw new Error("Scope is not running: the folder is not trusted, or Scope is not set up.");
  }
  const params = { name, arguments: within(input, tokenizationOptions?.tokenBudget) };
  const { text } = await client.sendRequest(tool, params, token);
  // Also what could not be answered is text: the agent reads how to mend its call.
  return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
}

/** Returns the input with the agent's own limit, where it has one that is lower. */
function within(input: Input, budget: number | undefined): Input {
  if (budget === undefined) {
    return input;
  }
  const wanted = typeof input.max_tokens === "number" ? input.max_tokens : Infinity;
  const most = Math.max(FEWEST_TOKENS, Math.floor(budget));
  return most < wanted ? { ...input, max_tokens: most } : input;
}
