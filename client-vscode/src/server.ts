/**
 * Finds the language server, in this order:
 *
 * 1. the setting `scope.server.path`;
 * 2. the private environment made from the wheel that the extension brings along, made on first use.
 */
import * as fs from "node:fs/promises";
import * as path from "node:path";
import * as vscode from "vscode";
import type { Part, SetupReport } from "./environment";
import { PrivateEnvironment } from "./environment";
import { cleanEnvironment } from "./python";
import type { Remedy } from "./remedies";
import { interpreter, serverPath } from "./settings";
import { explained } from "./setupProblem";

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

/** There is no server: why, and what the user can do about it. */
export class NoServer extends Error {
  constructor(
    message: string,
    readonly remedies: readonly Remedy[] = [],
  ) {
    super(message);
  }
}

// What each part takes on the disk, as measured when the package was tested.
const SIZES = { base: "170 MB", model: "240 MB", organisation: "14 MB" };

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
        throw new NoServer("Scope is not set up yet.", ["setUp"]);
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
      throw new NoServer(message, ["serverPath", "showLog"]);
    }
    return this.command(wanted);
  }

  /** Adds a part that is wanted now, if the user agrees; returns whether the server is to be started again. */
  async add(part: Part, why: string): Promise<boolean> {
    const environment = await PrivateEnvironment.of(this.context.extensionPath, this.storage);
    if (serverPath() !== "" || environment === undefined || (await environment.has(part))) {
      return false; // a server that is not ours is the user's to complete
    }
    const download = `Download (${SIZES[part]})`;
    const answer = await vscode.window.showInformationMessage(`Scope: ${why}`, download, "Not Now");
    if (answer !== download) {
      return false;
    }
    try {
      await this.withProgress("Scope: downloading", (report) => environment.add(part, report));
      return true;
    } catch (error) {
      const { message, details } = explained(error);
      this.log.error(`${message}\n${details}`);
      void vscode.window.showErrorMessage(`Scope: ${message}`);
      return false;
    }
  }

  private async setUp(environment: PrivateEnvironment): Promise<void> {
    if (!(await this.userAgrees())) {
      throw new NoServer("Scope was not set up, so nothing was read and nothing downloaded.", [
        "setUp",
      ]);
    }
    try {
      await this.withProgress("Setting up Scope", (report) =>
        environment.make(interpreter(), report),
      );
    } catch (error) {
      const { message, details, remedies } = explained(error);
      this.log.error(`${message}\n${details}`);
      throw new NoServer(message, remedies);
    }
  }

  private async userAgrees(): Promise<boolean> {
    const answer = await vscode.window.showInformationMessage(
      "Scope needs a one-time set-up.",
      {
        modal: true,
        detail:
          "It makes a private Python environment in the extension's own folder and downloads what answers without " +
          `a model need from the Python package index (about ${SIZES.base} on disk). It needs Python 3.11 or newer.\n\n` +
          "This is the only step that needs a network: after it, Scope works without one.",
      },
      "Set Up",
    );
    return answer === "Set Up";
  }

  private async withProgress(
    title: string,
    work: (report: SetupReport) => Promise<void>,
  ): Promise<void> {
    await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title, cancellable: true },
      async (progress, token) => {
        const abort = new AbortController();
        token.onCancellationRequested(() => abort.abort());
        await work({
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
