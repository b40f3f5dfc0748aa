/** All gens of a document, one after the other: an entry's ordinal counts through them. */
import type { JsonNode } from "../../core/json/json.ts";
import type { GeneratedEntry } from "../../core/table/version1.ts";
import { readGens, type Gen } from "./gen.ts";
import type { FieldName } from "./gen-field.ts";
import type { Template } from "../../templates/index.ts";
import { isMutable, type Templates } from "./templates.ts";

export interface GenListNotes {
  /** Told once of each template of each gen, when it is compiled. */
  readonly compiled: (gen: number, field: FieldName, template: Template) => void;
}

export class GenList {
  readonly gens: readonly Gen[];
  /** First ordinal of each gen. */
  readonly starts: readonly number[];
  /** Entries of all gens, exact. */
  readonly total: bigint;
  readonly #hasMutableTemplates: boolean;

  /** Throws what fsspec raises where `gen` cannot be iterated; errors of one gen are in it. */
  constructor(node: JsonNode | undefined, templates: Templates, notes: GenListNotes) {
    this.gens = readGens(node, templates, (gen) => (field, template) => notes.compiled(gen, field, template));
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

  /** Whether entries may come out differently when made again, since templates may change values given to them. */
  get isMutable(): boolean {
    return this.#hasMutableTemplates || this.gens.some(({ dimensions }) => dimensions.some(({ mutable }) => mutable));
  }
}
