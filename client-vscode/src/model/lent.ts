/** Models that are asked by a single question, such as that of the editor's chat. */
import type * as vscode from "vscode";
import type { UseModelParams } from "../protocol";
import { nameOf } from "./choice";

/** A model that one question may ask, until it has ended. */
export interface Loan {
  useModel: UseModelParams;
  end: () => void;
}

/** Knows which models may be asked now beside the one that was chosen. */
export class LentModels {
  private readonly lent = new Set<vscode.LanguageModelChat>();

  /** Lets a question ask a model. */
  lend(model: vscode.LanguageModelChat): Loan {
    this.lent.add(model);
    const useModel = { name: nameOf(model), contextTokens: model.maxInputTokens };
    return { useModel, end: () => void this.lent.delete(model) };
  }

  /** Returns the model that was lent under this name; undefined if none is. */
  named(name: string): vscode.LanguageModelChat | undefined {
    return [...this.lent].find((model) => nameOf(model) === name);
  }
}
