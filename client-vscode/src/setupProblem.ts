/** A set-up that failed, in words for people, with what they can do next. */
import { SetupFailed } from "./environment";
import { NoPython } from "./python";
import type { Remedy } from "./remedies";

/** What happened, what the log is told beyond it, and the next steps, the likeliest first. */
export interface SetupProblem {
  message: string;
  details: string;
  remedies: readonly Remedy[];
}

/** Returns what is to be said about an error of a set-up. */
export function explained(error: unknown): SetupProblem {
  if (error instanceof NoPython) {
    return {
      message:
        `The set-up failed. ${error.message} Install one, or choose it in the setting ` +
        `scope.server.interpreter. Tried: ${error.tried.join("; ")}.`,
      details: error.tried.join("\n"),
      remedies: ["choosePython", "setUp"],
    };
  }
  if (error instanceof SetupFailed) {
    const { message, details } = error;
    return { message: `The set-up failed. ${message}`, details, remedies: ["setUp", "showLog"] };
  }
  const reason = error instanceof Error ? error : new Error(String(error));
  if (reason.name === "AbortError") {
    return {
      message: "The set-up was cancelled; what it had downloaded was removed.",
      details: "Cancelled by the user.",
      remedies: ["setUp"],
    };
  }
  const isFull = (error as NodeJS.ErrnoException).code === "ENOSPC";
  return {
    message: `The set-up failed. ${isFull ? "The disk is full." : reason.message}`,
    details: reason.stack ?? "",
    remedies: ["setUp", "showLog"],
  };
}
