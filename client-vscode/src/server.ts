/**
 * Finds the language server, in this order:
 *
 * 1. the setting `scope.server.path`;
 * 2. the private environment made from the wheel that the extension brings along, made on first use.
 */
import * as fs from "node:fs/promises";
import * as path from "node:path";
import * as vscode from "vscode";
import { PrivateEnvironment, SetupFailed } from "./environment";
import { cleanEnvironment, NoPython } from "./python";
import { interpreter, serverPath } from "./settings";

/** How the server is started. */
export interface ServerCommand {
  command: string;
  cwd: string;
  env: NodeJS.ProcessEnv;
}

/** What of the server's environment depends on the model that was chosen. */
export interface ModelEnvironment {
  variables: () => Promise<NodeJS.ProcessEnv>;
}

/** There is no server, and the user knows why; nothing more is to be shown. */
export class NoServer extends Error {}

/** Finds the server, and sets it up if the user agrees. */
export class ServerFinder {
  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly log: vscode.LogOutputChannel,
    private readonly models: ModelEnvironment,
  ) {}

  /**
   * Returns how to start the server.
   *
   * @param mayAsk Whether the user may be asked to agree to the set-up.
   * @throws NoServer if there is none.
   */
  async find(mayAsk: boolean): Promise<ServerCommand> {
    await fs.mkdir(this.storage, { recursive: true });
    const wanted = serverPath();
    if (wanted !== "") {
      return this.fromSetting(wanted);
    }
    const environment = await PrivateEnvironment.of(this.context.extensionPath, this.storage);
    if (environment === undefined) {
      throw new NoServer("This build of the extension brings no server. Set scope.server.path.");
    }
    if (!(await environment.isComplete())) {
      if (!mayAsk) {
        throw new NoServer("Scope is not set up yet.");
      }
      await this.setUp(environment);
    }
    return this.command(environment.server);
  }

  private get storage(): string {
    return this.context.globalStorageUri.fsPath;
  }

  private async command(server: string): Promise<ServerCommand> {
    const env = { ...cleanEnvironment(), ...(await this.models.variables()) };
    return { command: server, cwd: this.storage, env };
  }

  private async fromSetting(wanted: string): Promise<ServerCommand> {
    const problem = !path.isAbsolute(wanted)
      ? "is not an absolute path"
      : await fs.access(wanted, fs.constants.X_OK).then(
          () => undefined,
          () => "is not a program that can be run",
        );
    if (problem !== undefined) {
      const message = `The setting scope.server.path, '${wanted}', ${problem}.`;
      this.log.error(message);
      void this.explain(message, "scope.server.path");
      throw new NoServer(message);
    }
    return this.command(wanted);
  }

  private async setUp(environment: PrivateEnvironment): Promise<void> {
    if (!(await this.userAgrees())) {
      throw new NoServer("Scope was not set up.");
    }
    try {
      await this.makeWithProgress(environment);
    } catch (error) {
      const { message, details } = explained(error);
      this.log.error(`${message}\n${details}`);
      void this.explain(message, "scope.server.interpreter");
      throw new NoServer(message);
    }
  }

  private async userAgrees(): Promise<boolean> {
    const answer = await vscode.window.showInformationMessage(
      "Scope needs a one-time set-up.",
      {
        modal: true,
        detail:
          "It makes a private Python environment in the extension's own folder and downloads its dependencies from " +
          "the Python package index (about 200 MB on disk). It needs Python 3.11 or newer.\n\n" +
          "This is the only step that needs a network: after it, Scope works without one.",
      },
      "Set Up",
    );
    return answer === "Set Up";
  }

  private async makeWithProgress(environment: PrivateEnvironment): Promise<void> {
    await vscode.window.withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title: "Setting up Scope",
        cancellable: true,
      },
      async (progress, token) => {
        const abort = new AbortController();
        token.onCancellationRequested(() => abort.abort());
        await environment.make(interpreter(), {
          step: (message) => progress.report({ message }),
          log: (line) => this.log.info(line),
          signal: abort.signal,
        });
      },
    );
  }

  /** Shows what is wrong, with the way to the setting that mends it. */
  private async explain(message: string, setting: string): Promise<void> {
    const actions = ["Open Settings", "Show Log"];
    const answer = await vscode.window.showErrorMessage(`Scope: ${message}`, ...actions);
    if (answer === "Show Log") {
      this.log.show();
    } else if (answer !== undefined) {
      await vscode.commands.executeCommand("workbench.action.openSettings", setting);
    }
  }
}

function explained(error: unknown): { message: string; details: string } {
  if (error instanceof NoPython) {
    return {
      message: `${error.message} Install one, or choose it in the setting scope.server.interpreter.`,
      details: error.tried.join("\n"),
    };
  }
  if (error instanceof SetupFailed) {
    return { message: `The set-up failed. ${error.message}`, details: error.details };
  }
  const reason = error instanceof Error ? error : new Error(String(error));
  return reason.name === "AbortError"
    ? { message: "The set-up was cancelled.", details: "Cancelled by the user." }
    : { message: `The set-up failed. ${reason.message}`, details: reason.stack ?? "" };
}
