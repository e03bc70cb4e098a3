/** When the server is started again: coalesced requests, and a growing wait after crashes. */

/** Runs an action once at a time; requests that arrive meanwhile cause exactly one more run. */
export class Coalesced {
  private running: Promise<void> | undefined;
  private queued = false;

  constructor(private readonly action: () => Promise<void>) {}

  /** Asks for a run; resolves when nothing is left to run. */
  request(): Promise<void> {
    if (this.running !== undefined) {
      this.queued = true;
      return this.running;
    }
    this.running = this.drain().finally(() => {
      this.running = undefined;
    });
    return this.running;
  }

  /** Waits for what is running now, if anything is, without asking for more. */
  async idle(): Promise<void> {
    await this.running;
  }

  private async drain(): Promise<void> {
    do {
      this.queued = false;
      await this.action();
    } while (this.wasQueued());
  }

  /** A method, because the flag is set by others while `drain` waits. */
  private wasQueued(): boolean {
    return this.queued;
  }
}

const WAITS_MS = [200, 1_000, 3_000, 10_000];
const WINDOW_MS = 180_000; // crashes further apart than this have nothing to do with each other

/** Decides how long to wait after a crash, and when to stop trying. */
export class BackOff {
  private crashes: number[] = [];

  constructor(private readonly now: () => number = Date.now) {}

  /** Returns the wait before the next start in milliseconds, or undefined to give up. */
  next(): number | undefined {
    const now = this.now();
    this.crashes = [...this.crashes.filter((at) => now - at < WINDOW_MS), now];
    return WAITS_MS[this.crashes.length - 1];
  }

  /** Forgets earlier crashes: the user asked for a restart. */
  reset(): void {
    this.crashes = [];
  }
}
