/**
 * The ledger of a check: what was found of a set so far, and which chunks a cause explains, so that one fault is one
 * cause. Who looks further asks for what is still open; what reading gives of an explained chunk is evidence of its cause.
 */
import { nodePathOf } from "#core/metadata/hierarchy-path.ts";
import type { ExplainedChunks } from "#core/check/check.ts";
import { chunkIn, type ChunkPlace, type Finding } from "#core/findings/finding.ts";
import { FindingLog } from "#core/findings/finding-log.ts";
import { ordinalOf } from "#core/metadata/chunk-grid.ts";
import { STRAY_CODES } from "#core/table/reference-table.ts";
import type { EngineSet } from "../engine-set.ts";
import { cellOfKey } from "../table/table-index.ts";

/** Chunks that are kept, of all arrays together: beyond them one may be told twice. */
const MAX_CHUNKS = 500_000;

const STRAYS: ReadonlySet<string> = new Set(Object.values(STRAY_CODES));

/** Aspects of an array that may have a cause besides chunks: its whole grid, or gaps in it. */
type Aspect = "grid" | "gaps";

export class Ledger {
  readonly #set: EngineSet;
  readonly #log = new FindingLog();
  readonly #chunks = new Map<string, Set<number>>();
  readonly #aspects = new Set<string>();
  readonly #keys = new Map<string, number>();
  #count = 0;

  /** `before`: what earlier looks explained. */
  constructor(set: EngineSet, before: readonly ExplainedChunks[] = []) {
    this.#set = set;
    for (const explained of before)
      for (const [array, ordinals] of explained) for (const ordinal of ordinals) this.explain(array, ordinal);
  }

  /** Notes that the cause of the chunk, or of the array, is known. */
  explain(array: string, what: number | Aspect): void {
    if (typeof what === "string") {
      this.#aspects.add(`${what} ${array}`);
      return;
    }
    const known = this.#chunks.get(array) ?? new Set();
    this.#chunks.set(array, known);
    if (what < 0 || this.#count >= MAX_CHUNKS || known.has(what)) return;
    known.add(what);
    this.#count += 1;
  }

  isOpen(array: string, what: number | Aspect): boolean {
    if (this.#aspects.has(`grid ${array}`)) return false;
    if (typeof what === "string") return !this.#aspects.has(`${what} ${array}`);
    return this.#chunks.get(array)?.has(what) !== true;
  }

  /** So many keys that fit no chunk, by the first of them, are explained. */
  explainKeys(first: string, count: number): void {
    this.#keys.set(first, count);
  }

  readonly note = (found: Finding): void => this.#log.add(found);

  /** Chunks that findings name are explained by these. */
  explainAll(findings: readonly Finding[]): void {
    for (const found of findings)
      for (const chunk of chunksOf(found)) this.explain(chunk.array, this.#ordinalOf(chunk));
  }

  /** Notes findings from opening the set: of a key that is written twice the wrong reference may have won, */
  noteOpened(opened: readonly Finding[]): void {
    this.#noteRecords(opened);
    for (const found of opened) {
      const { code, place, places = [place] } = found;
      // and chunks whose keys others got are missing for that reason.
      const isTwice = code === "duplicate-key";
      if (!isTwice && code !== "gen-collision") continue;
      for (const one of places) {
        const cell = one.kind === "key" ? cellOfKey(this.#set.index, one.key) : undefined;
        if (cell === undefined) continue;
        const { path } = this.#set.table.arrays[cell.array] ?? { path: "" };
        this.explain(path, isTwice ? cell.ordinal : "gaps");
      }
    }
  }

  /** A record that is not there explains why chunks are missing, where it has them all. */
  #noteRecords(opened: readonly Finding[]): void {
    const lost = new Map<string, number>();
    for (const { code, place, places = [place], facts } of opened) {
      if (code !== "parquet-record-missing") continue;
      for (const one of places) {
        const array = one.kind === "key" ? nodePathOf(one.key) : undefined;
        if (array !== undefined) lost.set(array, (lost.get(array) ?? 0) + Number(facts["chunks"]));
      }
    }
    for (const [array, chunks] of lost)
      if (chunks >= (this.#set.tally.arrays.get(array)?.states.missing ?? 0)) this.explain(array, "gaps");
  }

  /** Findings from opening the set, without those that rules have reported better since. */
  leftOf(opened: readonly Finding[]): readonly Finding[] {
    return opened.filter(
      ({ code, place, count }) => place.kind !== "key" || !STRAYS.has(code) || this.#keys.get(place.key) !== count,
    );
  }

  findings(): readonly Finding[] {
    return this.#log.list();
  }

  explained(): ExplainedChunks {
    return this.#chunks;
  }

  /** True if all chunks that a finding names have a known cause. */
  isExplained(found: Finding): boolean {
    const chunks = chunksOf(found);
    if (chunks.length === 0 || chunks.length < (found.places?.length ?? 1)) return false;
    return chunks.every((chunk) => !this.isOpen(chunk.array, this.#ordinalOf(chunk)));
  }

  #ordinalOf({ array, coordinates }: ChunkPlace): number {
    const { table, index } = this.#set;
    const grid = table.arrays[index.arrayIds.get(array) ?? -1]?.grid;
    return grid === undefined ? -1 : (ordinalOf(grid, coordinates) ?? -1);
  }
}

const chunksOf = ({ place, places = [place] }: Finding): readonly ChunkPlace[] =>
  places.flatMap((one) => chunkIn(one) ?? []);
