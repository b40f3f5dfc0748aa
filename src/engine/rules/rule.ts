/** Interface of a rule, and the view of an open set that it gets. */
import type { CallContext } from "#core/byte-source.ts";
import { chunkAt, finding, findingOfError, isAbort } from "#core/findings/finding.ts";
import type { ArrayExtent, ChunkPlace, Code, FactsOf, Finding } from "#core/findings/finding.ts";
import type { ArrayNode, Hierarchy } from "#core/metadata/array-metadata.ts";
import type { Coverage } from "#core/open-set.ts";
import type { EngineSet } from "../engine-set.ts";
import type { TableIndex } from "../table/table-index.ts";
import type { TableTally } from "../table/tally.ts";
import type { Ledger } from "./ledger.ts";
import { coordinatesOf, gridOf } from "#core/metadata/chunk-grid.ts";
import { ARRAY_NONE, BLOCK_ROWS } from "#core/table/reference-table.ts";
import { blockOf, ordinalOfRow } from "../table/batch.ts";
import { OrdinalBox } from "../table/ordinal-box.ts";

export interface CheckView {
  readonly hierarchy: Hierarchy;
  readonly arrays: readonly ArrayNode[];
  readonly index: TableIndex;
  readonly counts: TableTally;
  /** There may be nodes that are not known. */
  readonly unlisted: boolean;
  /** A data file. Absent = no. */
  readonly isFile?: boolean;
}

/** An open set, for rules that are run when it is checked. */
export interface SetView extends CheckView {
  readonly set: EngineSet;
  /** Causes that are known already, with their finder. */
  readonly ledger: Ledger;
}

export interface Rule<View extends CheckView = CheckView> {
  readonly id: string;
  /** Codes that it may find; findings of these codes are this rule's alone. */
  readonly codes: readonly Code[];
  run(view: View, sink: (found: Finding) => void, context: CallContext): Coverage | Promise<Coverage>;
}

/** Run when a set is checked, over what is known of it without a request. */
export type SetRule = Rule<SetView>;

/** An error of one rule ends that rule alone; that the user cancelled is thrown on. */
export function ruleFailed(rule: string, error: unknown, { signal }: CallContext): Finding {
  if (isAbort(error) || signal.aborted) throw error;
  return findingOfError(error, `The rule "${rule}" of the check`);
}

// Collects chunks of an array that have one thing wrong: all are counted, the first are kept, without an object each.

/** Chunks that are named. */
export const MAX_PLACES = 100;

export class ChunkPlaces {
  readonly places: ChunkPlace[] = [];
  readonly #box: OrdinalBox;
  readonly #grid: readonly number[];
  readonly #path: string;

  constructor({ path, metadata }: ArrayNode) {
    this.#path = path;
    this.#grid = gridOf(metadata.shape, metadata.chunks);
    this.#box = new OrdinalBox(this.#grid);
  }

  get count(): number {
    return this.#box.chunks;
  }

  add(ordinal: number): void {
    this.addRun(ordinal, ordinal);
  }

  /** All from one ordinal to another. */
  addRun(from: number, to: number): true {
    this.#box.addRun(from, to);
    for (let ordinal = from; ordinal <= to && this.places.length < MAX_PLACES; ordinal += 1)
      this.places.push(chunkAt(this.#path, coordinatesOf(this.#grid, ordinal)));
    return true;
  }

  /** The finding, if there is at least one. */
  finding<C extends Code>(code: C, facts: FactsOf<C>): Finding {
    return {
      ...finding(code, this.places[0] as ChunkPlace, facts, this.count),
      ...(this.count === 1 ? {} : { places: this.places, extent: { arrays: [this.extent()], moreArrays: 0 } }),
    };
  }

  extent(): ArrayExtent {
    return this.#box.extent(this.#path);
  }
}

/** The chunk of a reference; `undefined` where its key fits no grid. */
export function chunkOfRow(table: EngineSet["table"], row: number): ChunkPlace | undefined {
  const slot = table.arrays[blockOf(table, row).array[row % BLOCK_ROWS] ?? ARRAY_NONE];
  const ordinal = ordinalOfRow(table, row);
  if (slot?.grid === undefined || ordinal < 0) return undefined;
  return chunkAt(slot.path, coordinatesOf(slot.grid, ordinal));
}
