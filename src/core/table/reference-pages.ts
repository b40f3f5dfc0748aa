/**
 * Arrays whose references are fetched page by page: Parquet records, shard indexes, objects of a store that cannot be
 * listed.
 */
import type { CallContext } from "../byte-source.ts";
import type { Finding } from "../findings/finding.ts";
import type { TableBuilder } from "./table-builder.ts";

export interface ReferencePages extends PageUnit {
  readonly count: number;
  /** Page that holds the reference of a chunk, by the chunk's ordinal in the array's grid. */
  pageOf(ordinal: number): number;
  /** Ordinals of the chunks whose references the page holds. */
  visit(page: number, see: (ordinal: number) => void): void;
  /** How many these are. */
  cellsOf(page: number): number;
  /**
   * Fetches a page, then adds a row for each of its references (none for a chunk that is missing). Adds nothing where it
   * throws (`RefscopeError`). No page is requested twice at once.
   */
  load(page: number, into: PageSink, context: CallContext): Promise<readonly Finding[]>;
}

/** Words for a page: a Parquet record, a manifest, the index of a shard, or one object of the store. */
export interface PageUnit {
  /** Such as "record". */
  readonly unit: string;
  /** "shard index", "shard indexes". */
  readonly words: readonly [one: string, many: string];
  /** A page is one chunk; only its existence is asked for. */
  readonly isChunk?: true;
}

/** Shared by several formats. */
export const MANIFEST: PageUnit = { unit: "manifest", words: ["manifest", "manifests"] };

export interface PageSink {
  readonly table: TableBuilder;
  /** Id of the array in the table. */
  readonly array: number;
}
