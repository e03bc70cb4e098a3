/** What is said beside a list of uses: how many there are, and whether these are all. */
import type { UsesResult } from "./protocol";

/** Returns one sentence about the uses of a symbol. */
export function usesMessage(symbol: string, found: UsesResult): string {
  const count = found.references.length;
  const open = found.unverified.length;
  const known = count === 1 ? "1 use" : `${count} uses`;
  const about = `Scope: ${known} of ${symbol}`;
  if (found.complete) {
    return `${about}; these are all.`;
  }
  const stopped = found.stoppedBy === undefined ? "" : ", and the search was stopped early";
  if (open === 0) {
    return `${about}; there may be more${stopped}.`;
  }
  const more = open === 1 ? "1 more place has" : `${open} more places have`;
  return `${about}; ${more} its name and could not be decided${stopped}.`;
}
