/**
 * Changes of a text since an earlier version, so that places found in that version can still be pointed at. Versions
 * are the editor's; offsets count UTF-16 units.
 */
export interface LoggedChange {
  /** Place in the text before the change. */
  readonly start: number;
  readonly removed: number;
  readonly added: number;
}

export interface Span {
  readonly start: number;
  readonly end: number;
}

const MAX_ENTRIES = 4000;

export class EditLog {
  readonly #entries: { readonly version: number; readonly changes: readonly LoggedChange[] }[] = [];
  #known = 0;

  constructor(version: number) {
    this.#known = version;
  }

  /** The changes that made `version`; each is given in places of the text before all of them. */
  add(version: number, changes: readonly LoggedChange[]): void {
    // From the end to the beginning, none moves the place of another.
    this.#entries.push({ version, changes: changes.toSorted((a, b) => b.start - a.start) });
    if (this.#entries.length <= MAX_ENTRIES) return;
    const [dropped] = this.#entries.splice(0, MAX_ENTRIES / 2).slice(-1);
    this.#known = dropped?.version ?? this.#known;
  }

  /** True if places of this version can be moved to the present text. */
  knows(version: number): boolean {
    return version >= this.#known;
  }

  /** The span now, `touched` where something in or right beside it was edited; `undefined` where the log begins later. */
  move(span: Span, version: number): (Span & { readonly touched: boolean }) | undefined {
    if (!this.knows(version)) return undefined;
    let { start, end } = span;
    let touched = false;
    for (const entry of this.#entries) {
      if (entry.version <= version) continue;
      for (const change of entry.changes) {
        const behind = change.start + change.removed;
        if (change.start <= end && behind >= start) touched = true;
        start = movedOffset(start, change);
        end = Math.max(start, movedOffset(end, change));
      }
    }
    return { start, end, touched };
  }
}

function movedOffset(offset: number, { start, removed, added }: LoggedChange): number {
  if (offset <= start) return offset;
  if (offset >= start + removed) return offset + added - removed;
  return start + Math.min(added, offset - start);
}
