/** What the language client is told: which files, which settings, how to log. */
import type { Readable } from "node:stream";
import * as readline from "node:readline";
import type * as vscode from "vscode";
import type { LanguageClientOptions } from "vscode-languageclient/node";
import { library } from "./library";
import type {
  AskAgainParams,
  AskParams,
  CitingParams,
  ClientAbilities,
  UsesParams,
  VerifyParams,
} from "./protocol";
import { serverCommands } from "./protocol";
import { forServer, SECTION } from "./settings";

/** What the server's code actions come to, instead of the documents that other editors open. */
export interface CodeActions {
  /** Asks a question in the panel. */
  ask: (params: AskParams) => unknown;
  /** Shows the uses of a symbol beside the code. */
  uses: (params: UsesParams) => unknown;
  /** Asks the question of a document again, and compares. */
  askAgain: (params: AskAgainParams) => unknown;
  /** Shows which answers cite a symbol. */
  citing: (params: CitingParams) => unknown;
  /** Says what became of a document. */
  verify: (params: VerifyParams) => unknown;
}

/** Returns the options of the client. */
export function clientOptions(
  log: vscode.LogOutputChannel,
  actions: CodeActions,
): LanguageClientOptions {
  return {
    documentSelector: [{ scheme: "file" }],
    outputChannel: log,
    revealOutputChannelOn: library().RevealOutputChannelOn.Never,
    stdioOptions: { stdout: logLines, stderr: logLines },
    initializationOptions: {
      client: {
        complete: true,
        completeTools: true,
        approve: true,
        documentStates: true,
      } satisfies ClientAbilities,
    },
    initializationFailedHandler: () => false,
    middleware: {
      executeCommand: (command, args: unknown[], next) => {
        switch (command) {
          case serverCommands.ask:
            return actions.ask(args[0] as AskParams);
          case serverCommands.uses:
            return actions.uses(args[0] as UsesParams);
          case serverCommands.askAgain:
            return actions.askAgain(args[0] as AskAgainParams);
          case serverCommands.citing:
            return actions.citing(args[0] as CitingParams);
          case serverCommands.verifyDocument:
            return actions.verify(args[0] as VerifyParams);
          default:
            return next(command, args) as unknown;
        }
      },
      workspace: {
        configuration: async (params, token, next) => {
          const values = await next(params, token);
          if (!Array.isArray(values)) {
            return values;
          }
          const isOurs = params.items.map((item) => item.section === SECTION);
          return values.map((value, at) =>
            isOurs[at] === true ? forServer(value) : (value as object),
          );
        },
      },
    },
  };
}

const LEVEL = /^\S+ \S+ (DEBUG|INFO|WARNING|ERROR|CRITICAL) (.*)$/;

/** Logs the server's stderr under the level that each line names; other lines continue the last. */
export function logLines(input: Readable, log: vscode.LogOutputChannel): void {
  let level = "INFO";
  readline.createInterface({ input }).on("line", (line) => {
    const match = LEVEL.exec(line);
    level = match?.[1] ?? level;
    const text = match?.[2] ?? line;
    if (level === "DEBUG") {
      log.debug(text);
    } else if (level === "INFO") {
      log.info(text);
    } else if (level === "WARNING") {
      log.warn(text);
    } else {
      log.error(text);
    }
  });
}
