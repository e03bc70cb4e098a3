/** The key of a model's provider: in the editor's secret storage, and in the server's environment. */
import * as vscode from "vscode";

const KEPT_AS = "scope.model.key";
const VARIABLE = "SCOPE_API_KEY";

/** Keeps the key; it is never in a setting, a log or a message. */
export class ModelKey implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly following: vscode.Disposable;
  /** Fires in every window when the key was set or removed. */
  readonly onChange = this.changed.event;

  constructor(private readonly secrets: vscode.SecretStorage) {
    this.following = secrets.onDidChange(({ key }) => {
      if (key === KEPT_AS) {
        this.changed.fire();
      }
    });
  }

  /** Returns the variable that the server gets; empty without a key. */
  async environment(): Promise<NodeJS.ProcessEnv> {
    const key = await this.secrets.get(KEPT_AS);
    return key === undefined || key === "" ? {} : { [VARIABLE]: key };
  }

  /** Asks the user for the key and keeps it. */
  async set(): Promise<void> {
    const key = await vscode.window.showInputBox({
      title: "Scope: Set Model Key",
      prompt: "The key of the model's provider; it is kept in the editor's secret storage",
      password: true,
      ignoreFocusOut: true,
      validateInput: (text) => (text.trim() === "" ? "Paste the key." : undefined),
    });
    if (key !== undefined) {
      await this.secrets.store(KEPT_AS, key.trim());
      vscode.window.setStatusBarMessage("Scope: The key is kept in the secret storage.", 5_000);
    }
  }

  /** Forgets the key. */
  async remove(): Promise<void> {
    const isThere = (await this.secrets.get(KEPT_AS)) !== undefined;
    await this.secrets.delete(KEPT_AS);
    const words = isThere ? "The key was removed." : "No key was kept.";
    vscode.window.setStatusBarMessage(`Scope: ${words}`, 5_000);
  }

  dispose(): void {
    this.following.dispose();
    this.changed.dispose();
  }
}
