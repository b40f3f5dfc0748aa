/**
 * References that a Version 1 document makes of its templates and gen, as the reader of documents sees them.
 * `engine/render` makes a renderer, `formats/kerchunk-json` uses it: formats know no template language.
 */
import type { Finding } from "../findings/fact.ts";

/** References that all gens of a document may make together, by default. */
export const MAX_GENERATED = 10_000_000;

/** Steps of fsspec's reading of a document at which it can raise, in its order. */
export const FSSPEC_STEPS = ["version", "templates", "refs", "inline", "lists", "urls", "gen"] as const;

export type FsspecStep = (typeof FSSPEC_STEPS)[number];

/** A rendered URL, or why fsspec raises on it. */
export type RenderedUrl =
  | { readonly kind: "url"; readonly url: string }
  /** `error`: as the last line of Python's traceback. */
  | { readonly kind: "fault"; readonly error: string; readonly reason: Finding };

/** One entry that a gen makes. `offset` and `length` are exact; beyond 2^53 or negative they are not a byte range. */
export interface GeneratedEntry {
  readonly key: string;
  readonly url: string;
  /** Absent together: the whole target. Bytes. */
  readonly offset?: number | bigint;
  readonly length?: number | bigint;
}

export interface Version1Renderer {
  /** True if the document has any template: without one, fsspec renders no URL of `refs`. */
  readonly hasTemplates: boolean;
  /** A URL of `refs`: rendered where there are templates and it contains `{{`. Never throws. */
  url(written: string): RenderedUrl;
  /** Entries of all gens, counted before any is made. */
  readonly size: number;
  /**
   * Entries in the order in which fsspec makes them. `take` gets each with its ordinal (0 to size - 1, a gen that
   * fails leaves a gap up to the next gen's first). Stops and returns `false` when `take` does. Never throws for errors of the document:
   * they are in `findings` afterwards.
   */
  generate(from: number, take: (entry: GeneratedEntry, ordinal: number) => boolean): boolean;
  /** Which gen made an entry, and of which values. */
  origin(ordinal: number): GenOrigin;
  /** True if a template or gen that stopped has kept references from being made so far. */
  readonly isIncomplete: boolean;
  /** Findings so far: complete after `generate` has ended. Those of severity error are what fsspec raises. */
  findings(): readonly Finding[];
}

export interface GenOrigin {
  /** Index in `gen`. */
  readonly gen: number;
  /** Value of each dimension as Python prints it (`repr`). */
  readonly variables: readonly { readonly name: string; readonly value: string }[];
}

/** Origin of a reference of the Version 0 result. */
export type RowOrigin =
  /** `written`: the URL before rendering, where that differs. */
  | { readonly kind: "refs"; readonly written?: string }
  | ({ readonly kind: "gen" } & GenOrigin)
  /** A key of the document's text that is metadata. */
  | { readonly kind: "metadata" };
