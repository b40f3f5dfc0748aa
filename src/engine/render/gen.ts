/** One member of `gen`: its dimensions, its templates, and the entries they make. */
import type { JsonNode } from "../../core/json/json.ts";
import type { GeneratedEntry } from "../../core/table/version1.ts";
import { Budget, type Value } from "../../templates/index.ts";
import { repr } from "../../templates/python/index.ts";
import { readDimensions, type Dimension } from "./dimensions.ts";
import { GenField, type FieldName, type SeeTemplate } from "./gen-field.ts";
import { membersOf, notSubscriptable, pythonType, textOf } from "./json-types.ts";
import { FsspecError } from "./raised.ts";
import type { Templates } from "./templates.ts";

/** All members of `gen`; throws what fsspec raises where it cannot be walked. */
export function readGens(node: JsonNode | undefined, templates: Templates, see: (gen: number) => SeeTemplate): Gen[] {
  return membersOfGen(node).map((member, index) => new Gen(member, templates, see(index)));
}

/** What `for gen in …` walks. */
function membersOfGen(node: JsonNode | undefined): readonly JsonNode[] {
  if (node === undefined) return [];
  if (node.kind === "array") return node.items;
  const keys = node.kind === "object" ? [...membersOf(node).keys()] : textOf(node);
  if (keys === undefined) throw new FsspecError("TypeError", `'${pythonType(node)}' object is not iterable`);
  return Array.from(keys, (value) => ({ kind: "scalar", value, start: node.start, end: node.end }) as const);
}

export class Gen {
  readonly dimensions: readonly Dimension[];
  /** Entries it makes; 0 where it has an error. */
  readonly count: bigint;
  /** What fsspec raises before it makes the first entry. */
  readonly fault: unknown;
  readonly #hasOffset: boolean;
  readonly #hasLength: boolean;
  readonly #key: GenField;
  readonly #url: GenField;
  readonly #offset: GenField;
  readonly #length: GenField;
  readonly #sizes: readonly number[];
  /** The entry made last: its number, place and values. */
  #last = -2;
  readonly #indexes: number[];
  readonly #slots: Value[];

  constructor(node: JsonNode, templates: Templates, see: SeeTemplate) {
    const { members, dimensions, fault } = parts(node);
    this.fault = fault;
    this.dimensions = dimensions;
    this.count = fault === undefined ? dimensions.reduce((product, { count }) => product * count, 1n) : 0n;
    this.#sizes = dimensions.map(({ count }) => Number(count));
    this.#indexes = dimensions.map(() => 0);
    this.#slots = dimensions.map(() => null);
    const field = (name: FieldName): GenField => new GenField(name, members.get(name), dimensions, templates, see);
    this.#key = field("key");
    this.#url = field("url");
    this.#offset = field("offset");
    this.#length = field("length");
    this.#hasOffset = members.has("offset");
    this.#hasLength = members.has("length");
  }

  /** The entry of a number below `count`; fastest when asked in order. Throws what fsspec raises. */
  entry(number: number): GeneratedEntry {
    const changed = number === this.#last + 1 && number > 0 ? this.#step() : this.#goTo(number);
    this.#last = -2; // Should something be thrown, nothing is known about the templates' texts.
    const slots = this.#slots;
    const key = this.#key.text(slots, changed);
    const url = this.#url.text(slots, changed);
    const ranged = this.#isRanged();
    const offset = ranged ? this.#offset.integer(slots, changed) : 0;
    const length = ranged ? this.#length.integer(slots, changed) : 0;
    this.#last = number;
    return ranged ? { key, url, offset, length } : { key, url };
  }

  #isRanged(): boolean {
    if (this.#hasOffset === this.#hasLength) return this.#hasOffset;
    throw new FsspecError(
      "ValueError",
      "Both 'offset' and 'length' are required for a reference generator entry if either is provided.",
    );
  }

  /** The next place, the last dimension fastest; gives the first dimension that changed. */
  #step(): number {
    const indexes = this.#indexes;
    let at = indexes.length - 1;
    for (; at >= 0; at -= 1) {
      const next = (indexes[at] ?? 0) + 1;
      if (next < (this.#sizes[at] ?? 0)) {
        this.#put(at, next);
        return at;
      }
      this.#put(at, 0);
    }
    return 0;
  }

  #goTo(number: number): number {
    let rest = number;
    for (let at = this.#indexes.length - 1; at >= 0; at -= 1) {
      const size = this.#sizes[at] ?? 1;
      this.#put(at, rest % size);
      rest = Math.floor(rest / size);
    }
    return -1;
  }

  #put(at: number, index: number): void {
    this.#indexes[at] = index;
    this.#slots[at] = this.dimensions[at]?.at(index) ?? null;
  }

  /** Values of the dimensions for an entry, without rendering it. */
  variables(number: number): Map<string, Value> {
    this.#last = -2;
    this.#goTo(number);
    return new Map(this.dimensions.map(({ name }, at) => [name, this.#slots[at] ?? null]));
  }

  /** The same as Python prints them. */
  variableTexts(number: number): { readonly name: string; readonly value: string }[] {
    return [...this.variables(number)].map(([name, value]) => ({ name, value: repr(value, new Budget()) }));
  }
}

interface Parts {
  readonly members: ReadonlyMap<string, JsonNode>;
  readonly dimensions: readonly Dimension[];
  readonly fault: unknown;
}

function parts(node: JsonNode): Parts {
  const members = node.kind === "object" ? membersOf(node) : new Map<string, JsonNode>();
  try {
    if (node.kind !== "object") throw notSubscriptable(node);
    const dimensions = members.get("dimensions");
    if (dimensions === undefined) throw new FsspecError("KeyError", "'dimensions'");
    return { members, dimensions: readDimensions(dimensions), fault: undefined };
  } catch (fault) {
    return { members, dimensions: [], fault };
  }
}
