/** What of the server's environment depends on the model: the key, and whether one is wanted. */
import type { ModelEnvironment } from "../server";
import type { ModelChoice } from "./choice";
import type { ModelKey } from "./key";

/** Names a model in the user's environment, for the terminal as well. */
const NAMED_BY = "SCOPE_MODEL";

/** The variables that the server gets beside the user's own. */
export class ModelVariables implements ModelEnvironment {
  constructor(
    private readonly choice: ModelChoice,
    private readonly key: ModelKey,
  ) {}

  async variables(): Promise<NodeJS.ProcessEnv> {
    const isUnwanted = this.choice.current?.kind === "none";
    return { ...(isUnwanted ? { [NAMED_BY]: "" } : {}), ...(await this.key.environment()) };
  }

  /** Whether a choice changes them, so that the server has to be started again. */
  get dependOnChoice(): boolean {
    return (process.env[NAMED_BY] ?? "") !== "";
  }
}
