/** All gens of a document, one after the other: an entry's ordinal counts through them. */
import type { FindingLog } from "#core/findings/finding-log.ts";
import type { JsonNode } from "#core/json/json.ts";
import type { GeneratedEntry } from "#core/table/version1.ts";
import { readGens, type Gen } from "./gen.ts";
import { undefinedNames } from "./name-findings.ts";
import { isMutable, type Templates } from "./templates.ts";

export class GenList {
  readonly gens: readonly Gen[];
  /** First ordinal of each gen. */
  readonly starts: readonly number[];
  /** Entries of all gens, exact. */
  readonly total: bigint;
  readonly #hasMutableTemplates: boolean;

  /** Throws what fsspec raises where `gen` cannot be iterated; errors of one gen are in it. `log` gets undefined names. */
  constructor(node: JsonNode | undefined, templates: Templates, log: FindingLog) {
    this.gens = readGens(node, templates, (index) => (field, template) => {
      const own = this.gens[index]?.dimensions.map(({ name }) => name) ?? [];
      log.addAll(undefinedNames({ kind: "gen", index, field }, template, templates, own));
    });
    let next = 0n;
    this.starts = this.gens.map(({ count }) => {
      const start = Number(next);
      next += count;
      return start;
    });
    this.total = next;
    this.#hasMutableTemplates = [...templates.values.values()].some(isMutable);
  }

  /** Which gen makes an entry, and as which of its own. RangeError beyond the last. */
  place(ordinal: number): { readonly gen: Gen; readonly index: number; readonly number: number } {
    const index = this.starts.findLastIndex((start, at) => start <= ordinal && (this.gens[at]?.count ?? 0n) > 0n);
    const gen = this.gens[index];
    if (gen === undefined || BigInt(ordinal) >= this.total) throw new RangeError(`No gen makes an entry ${ordinal}.`);
    return { gen, index, number: ordinal - (this.starts[index] ?? 0) };
  }

  /** Throws what fsspec raises. */
  entry(ordinal: number): GeneratedEntry {
    const { gen, number } = this.place(ordinal);
    return gen.entry(number);
  }

  /** True if entries may differ when made again, since templates may change values given to them. */
  get isMutable(): boolean {
    return this.#hasMutableTemplates || this.gens.some(({ dimensions }) => dimensions.some(({ mutable }) => mutable));
  }
}
