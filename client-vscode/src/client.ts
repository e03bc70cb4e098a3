/** The connection to the language server: start, coalesced restarts, and recovery from crashes. */
import * as vscode from "vscode";
import type {
  LanguageClient,
  LanguageClientOptions,
  ServerOptions,
} from "vscode-languageclient/node";
import type { CodeActions } from "./clientOptions";
import { clientOptions } from "./clientOptions";
import type { Part } from "./environment";
import { library } from "./library";
import { Approvals } from "./model/approve";
import type { ModelChoice } from "./model/choice";
import { chosenModel, toServer } from "./model/choice";
import { complete, type FindModel, type Piece } from "./model/complete";
import { LentModels } from "./model/lent";
import * as protocol from "./protocol";
import { BackOff, Coalesced } from "./restart";
import type { ServerCommand, ServerFinder } from "./server";
import { NoServer } from "./server";

/** What a part of the private environment is needed for. */
const NEEDED: Record<Part, string> = {
  model: "The model",
  organisation: "The organisation's index",
};

/** What the connection is doing, for the status item. */
export type SessionState =
  "off" | "untrusted" | "notSetUp" | "starting" | "running" | "restarting" | "failed";

/** Returns a client that logs its errors and leaves it to the session to tell the user, once. */
function quietClient(server: ServerOptions, options: LanguageClientOptions): LanguageClient {
  class QuietClient extends library().LanguageClient {
    override error(message: string, data?: unknown): void {
      super.error(message, data, false);
    }
  }
  return new QuietClient("scope", "Scope", server, options);
}

/** Keeps one language server running for the window. */
export class Session implements vscode.Disposable {
  private client: LanguageClient | undefined;
  /** The connection ends or fails by our own doing, or `start` reports it. */
  private isExpected = false;
  private timer: NodeJS.Timeout | undefined;
  private disposed = false;
  private mayAsk = false;
  private noServer: NoServer | undefined;
  private readonly offered = new Set<string>();
  private readonly backOff = new BackOff();
  private readonly restarts = new Coalesced(() => this.restartNow());
  private readonly stateChanged = new vscode.EventEmitter<SessionState>();
  private readonly events = new vscode.EventEmitter<protocol.RunEvent>();
  private readonly statuses = new vscode.EventEmitter<protocol.StatusParams>();
  private readonly documentStates = new vscode.EventEmitter<protocol.DocumentStateParams>();

  private readonly following: vscode.Disposable;
  private readonly approvals = new Approvals();

  /** What a question may ask beside the model that was chosen. */
  readonly lent = new LentModels();

  readonly onState = this.stateChanged.event;
  readonly onRunEvent = this.events.event;
  readonly onStatus = this.statuses.event;
  readonly onDocumentState = this.documentStates.event;

  constructor(
    private readonly finder: ServerFinder,
    private readonly log: vscode.LogOutputChannel,
    private readonly choice: ModelChoice,
    private readonly actions: CodeActions,
  ) {
    this.following = choice.onChange(() => this.tellModel());
  }

  /** Starts the server if it can be started without asking the user. */
  async startQuietly(): Promise<void> {
    this.mayAsk = false;
    await this.restarts.request();
  }

  /** Starts the server again; requests that arrive while it starts are answered by one more start. */
  async restart(): Promise<void> {
    this.backOff.reset();
    this.mayAsk = true;
    await this.restarts.request();
  }

  /** Starts the server again with other settings; it is never the settings that ask the user to set up. */
  async reconfigure(): Promise<void> {
    this.backOff.reset();
    await this.startQuietly();
  }

  /** Why there is no server, if that is known, and what can be done. */
  get problem(): NoServer | undefined {
    return this.noServer;
  }

  /** The client if it runs; nothing is started. */
  get connected(): LanguageClient | undefined {
    return this.client?.isRunning() === true ? this.client : undefined;
  }

  /** Returns the running client, started if need be; undefined if there is none: `problem` says why. */
  async running(): Promise<LanguageClient | undefined> {
    await this.restarts.idle();
    if (this.client?.isRunning() !== true) {
      this.mayAsk = true;
      await this.restarts.request();
    }
    return this.connected;
  }

  dispose(): void {
    this.disposed = true;
    this.following.dispose();
    clearTimeout(this.timer);
    void this.stop();
    this.stateChanged.dispose();
    this.events.dispose();
    this.statuses.dispose();
    this.documentStates.dispose();
  }

  /** Stops the server and waits for its end. */
  async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    if (client !== undefined) {
      this.isExpected = true;
      await client.dispose(2_000).catch((error: unknown) => this.log.warn(String(error)));
      this.isExpected = false;
    }
  }

  private async restartNow(): Promise<void> {
    clearTimeout(this.timer);
    await this.stop();
    if (this.disposed) {
      return;
    }
    if (!vscode.workspace.isTrusted) {
      this.stateChanged.fire("untrusted");
      return;
    }
    this.stateChanged.fire("starting");
    void vscode.commands.executeCommand("setContext", "scope.ready", false);
    this.noServer = undefined;
    try {
      const command = await this.finder.find(this.mayAsk);
      this.client = this.create(command);
      this.isExpected = true;
      await this.client.start();
      await this.tellModel();
      this.stateChanged.fire("running");
      void vscode.commands.executeCommand("setContext", "scope.ready", true);
    } catch (error) {
      this.failed(error);
    } finally {
      this.isExpected = false;
    }
  }

  private failed(error: unknown): void {
    this.log.error(`The language server could not be started: ${String(error)}`);
    this.client = undefined;
    if (error instanceof NoServer) {
      this.noServer = error;
      this.stateChanged.fire(error.remedies.includes("setUp") ? "notSetUp" : "failed");
      return;
    }
    this.stateChanged.fire("failed");
    void this.tellFailure("The language server could not be started.");
  }

  private create(server: ServerCommand): LanguageClient {
    const { command, cwd, env } = server;
    this.log.info(`Starting ${command}`);
    const { CloseAction, ErrorAction, TransportKind } = library();
    const client = quietClient(
      { command, transport: TransportKind.stdio, options: { cwd, env } },
      {
        ...clientOptions(this.log, this.actions),
        errorHandler: {
          error: () => ({ action: ErrorAction.Continue }),
          closed: () => {
            this.crashed();
            return { action: CloseAction.DoNotRestart, handled: true };
          },
        },
      },
    );
    client.onRequest(protocol.complete, (params, token) => {
      const { completionId } = params;
      const send = (piece: Piece): Promise<void> =>
        client.sendNotification(protocol.completeText, { completionId, ...piece });
      const find = (name: string): ReturnType<FindModel> =>
        this.lent.named(name) ?? chosenModel(this.choice.current, name);
      return complete(find, params, send, token);
    });
    client.onRequest(protocol.approve, (params, token) => this.approvals.ask(params, token));
    client.onNotification(protocol.runEvent, (event) => this.events.fire(event));
    client.onNotification(protocol.documentState, (params) => this.documentStates.fire(params));
    client.onNotification(protocol.status, (params) => {
      this.statuses.fire(params);
      void this.offer(params.missing);
    });
    return client;
  }

  /** Offers, once in a window, to install what the server would need for what is set. */
  private async offer(missing: readonly string[]): Promise<void> {
    for (const [part, what] of Object.entries(NEEDED) as [Part, string][]) {
      if (missing.includes(part) && !this.offered.has(part)) {
        this.offered.add(part);
        const why = `${what} that you set needs a library that is not installed yet.`;
        if (await this.finder.add(part, why)) {
          await this.restart();
        }
      }
    }
  }

  /** Says which of the editor's models is to be asked. */
  private async tellModel(): Promise<void> {
    if (this.client?.isRunning() === true) {
      await this.client.sendNotification(protocol.useModel, toServer(this.choice.current));
    }
  }

  /** The connection ended without our doing. */
  private crashed(): void {
    if (this.isExpected || this.disposed) {
      return;
    }
    const wait = this.backOff.next();
    if (wait === undefined) {
      this.stateChanged.fire("failed");
      void this.tellFailure("The language server stopped several times and is not started again.");
      return;
    }
    this.log.warn(`The language server stopped; it is started again in ${wait} ms.`);
    this.stateChanged.fire("restarting");
    this.timer = setTimeout(() => void this.restarts.request(), wait);
  }

  private async tellFailure(message: string): Promise<void> {
    const answer = await vscode.window.showErrorMessage(`Scope: ${message}`, "Restart", "Show Log");
    if (answer === "Restart") {
      await this.restart();
    } else if (answer === "Show Log") {
      this.log.show();
    }
  }
}
