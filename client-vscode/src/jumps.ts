/** Selections that Scope made itself, to show a place. They say nothing of what the user selected. */

interface Position {
  line: number;
  character: number;
}

/** A range of a file, as the editor has it. */
export interface Range {
  start: Position;
  end: Position;
}

/** Remembers the last jump for as long as its selection stands. */
export class Jumps {
  private last: string | undefined;

  /** Takes note of a selection that Scope has just made. */
  note(uri: string, selection: Range): void {
    this.last = keyOf(uri, selection);
  }

  /** Takes note of a selection that stands now, whoever made it: another one ends the jump. */
  selected(uri: string, selection: Range): void {
    if (this.last !== keyOf(uri, selection)) {
      this.last = undefined;
    }
  }

  /** Whether a selection is that of the last jump. */
  made(uri: string, selection: Range): boolean {
    return this.last === keyOf(uri, selection);
  }
}

/** The jumps of this window. */
export const jumps = new Jumps();

function keyOf(uri: string, { start, end }: Range): string {
  return `${uri} ${start.line}:${start.character}-${end.line}:${end.character}`;
}
