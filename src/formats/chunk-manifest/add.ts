/** From a manifest's entries to rows of the reference table. */
import type { PageSink } from "../../core/reference-pages.ts";
import { targetOf, type PathBase } from "./base.ts";
import { PATH_NONE, PATH_ODD, WHOLE, type Entries, type OddEntry } from "./entries.ts";
import type { Manifest } from "./read.ts";

const encoder = new TextEncoder();

/**
 * Adds a row for each chunk that has an entry (none for those explicitly empty), with ordinals of the grid that the
 * manifest was read for. `base`: what its relative paths are relative to; without it they stay as written.
 */
export function addManifest({ array, entries }: Manifest, into: PageSink, base?: PathBase): void {
  const targets = targetIds(entries, into, base);
  for (let entry = 0; entry < entries.count; entry += 1) {
    if (entries.replaced.has(entry)) continue;
    const row = addEntry(entries, entry, into, targets);
    const stray = entries.strays.get(entry);
    if (row === undefined || stray === undefined) continue;
    into.table.markStray(row, array === "" ? stray.key : `${array}/${stray.key}`, stray.reason);
  }
}

function addEntry(entries: Entries, entry: number, { table, array }: PageSink, targets: (path: number) => number) {
  const ordinal = Math.max(0, entries.ordinal[entry] ?? 0);
  const path = entries.path[entry] ?? PATH_NONE;
  if (path === PATH_NONE) return undefined;
  if (path === PATH_ODD) return addOdd(entries.odd.get(entry), ordinal, { table, array });
  const length = entries.length[entry] ?? WHOLE;
  if (length === WHOLE) return table.addWhole(array, ordinal, targets(path));
  return table.addRange(array, ordinal, targets(path), entries.offset[entry] ?? 0, length);
}

function addOdd(odd: OddEntry | undefined, ordinal: number, { table, array }: PageSink): number | undefined {
  if (odd === undefined) return undefined;
  if (odd.kind === "bad") return table.addBad(array, ordinal, odd.reference);
  return table.addInline(array, ordinal, encoder.encode(odd.text));
}

function targetIds({ paths }: Entries, { table }: PageSink, base: PathBase | undefined): (path: number) => number {
  const ids = new Map<number, number>();
  return (path) => {
    let id = ids.get(path);
    if (id === undefined) {
      id = table.addTarget(targetOf(paths[path] ?? "", base));
      ids.set(path, id);
    }
    return id;
  };
}
