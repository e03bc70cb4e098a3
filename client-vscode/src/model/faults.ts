/** What an editor's refusal means, in the words of the protocol. */
import type { CompleteResult } from "../protocol";

const BY_CODE: Record<string, string> = {
  NotFound: "no_model",
  NoPermissions: "no_consent",
  Blocked: "blocked",
};

/** Limits of use have no code of their own: providers name them, or say them in words. */
const QUOTA = /quota|rate.?limit|too many requests/i;
const TOO_LONG = /too (long|large|many tokens)|(token|context|prompt).{0,20}(limit|length|exceed)/i;
const OFF_TOPIC = /off_topic|content.?filter/i;

/** Returns the result for an error of the editor's model, whatever was thrown. */
export function faultOf(error: unknown): CompleteResult {
  const { name, code, message, cause } = parts(error);
  const words = [name, code, message, cause].join(" ");
  if (QUOTA.test(words)) {
    return { fault: "quota", message };
  }
  if (OFF_TOPIC.test(words)) {
    return { fault: "blocked", message };
  }
  const known = BY_CODE[code];
  if (known !== undefined) {
    return { fault: known, message };
  }
  return { fault: TOO_LONG.test(words) ? "too_long" : "other", message };
}

function parts(error: unknown): { name: string; code: string; message: string; cause: string } {
  const { name, code, message, cause } = (error ?? {}) as Record<string, unknown>;
  const text = (value: unknown): string => (typeof value === "string" ? value : "");
  return {
    name: text(name),
    code: text(code),
    message: text(message) || String(error),
    cause: cause instanceof Error ? cause.message : text(cause),
  };
}
