/** One member of `gen`: its dimensions, its templates, and the entries they make. */
import type { JsonNode } from "#core/json/json.ts";
import type { GeneratedEntry } from "#core/table/version1.ts";
import { Budget, GLOBAL_NAMES, type Integer, type Template, type Value } from "@refscope/jinja";
import { intFromText, repr } from "@refscope/jinja/python";
import { type Dimension, readDimensions } from "./dimensions.ts";
import { membersOf, notSubscriptable, pythonType, textOf } from "./json-types.ts";
import { FsspecError } from "./render-findings.ts";
import { isMutable, notATemplate, refuseSelf, type Templates } from "./templates.ts";

/** All members of `gen`; throws what fsspec raises where it cannot be walked. */
export function readGens(node: JsonNode | undefined, templates: Templates, see: (gen: number) => SeeTemplate): Gen[] {
  return membersOfGen(node).map((member, index) => new Gen(member, templates, see(index)));
}

/** Members that `for gen in …` iterates over. */
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
  /** Error that fsspec raises before it makes the first entry. */
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

// One template of a gen (key, url, offset, length), rendered once for each entry, or less often where that is safe.

export type FieldName = "key" | "url" | "offset" | "length";

/** Called once, when the field is first compiled. */
export type SeeTemplate = (field: FieldName, template: Template) => void;

type Render = (slots: readonly Value[]) => string;

export class GenField {
  readonly name: FieldName;
  readonly #node: JsonNode | undefined;
  readonly #dimensions: readonly Dimension[];
  readonly #templates: Templates;
  readonly #see: SeeTemplate;
  #render: Render | undefined;
  /** The last dimension it depends on: while only later ones change, so does nothing here. -1: it is constant. */
  #reach = Infinity;
  #text: string | undefined;
  #integer: Integer | undefined;

  constructor(
    name: FieldName,
    node: JsonNode | undefined,
    dimensions: readonly Dimension[],
    templates: Templates,
    see: SeeTemplate,
  ) {
    this.name = name;
    this.#node = node;
    this.#dimensions = dimensions;
    this.#templates = templates;
    this.#see = see;
  }

  /**
   * Its text for these values. `changed`: the first dimension whose value is another than at the last call, 0 where
   * that is not known. Throws what fsspec raises.
   */
  text(slots: readonly Value[], changed: number): string {
    if (this.#text !== undefined && changed > this.#reach) return this.#text;
    this.#integer = undefined;
    this.#text = undefined;
    const render = this.#render ?? this.#compiled();
    this.#text = render(slots);
    return this.#text;
  }

  /** `int(text)`. */
  integer(slots: readonly Value[], changed: number): Integer {
    const text = this.text(slots, changed);
    this.#integer ??= integerOf(text);
    return this.#integer;
  }

  /** Compiles, then renders with all variables, which may collide, in fsspec's order. */
  #compiled(): Render {
    const { values, budget, compile } = this.#templates;
    if (this.#node === undefined) throw new FsspecError("KeyError", `'${this.name}'`);
    const source = textOf(this.#node);
    if (source === undefined) throw notATemplate();
    budget.reset();
    const template = compile(source);
    refuseCollisions(this.#dimensions, values);
    this.#see(this.name, template);
    this.#reach = reachOf(template, this.#dimensions, values);
    const names = this.#dimensions.map(({ name }) => name);
    this.#render = template.bind(names, values, budget);
    return this.#render;
  }
}

/** `render(**dimensions, **templates)` */
function refuseCollisions(dimensions: readonly Dimension[], values: ReadonlyMap<string, Value>): void {
  for (const { name } of dimensions) {
    if (!values.has(name)) continue;
    const method = "jinja2.environment.Template.render()";
    throw new FsspecError("TypeError", `${method} got multiple values for keyword argument '${name}'`);
  }
  refuseSelf(values);
  refuseSelf(new Set(dimensions.map(({ name }) => name)));
}

function reachOf(template: Template, dimensions: readonly Dimension[], values: ReadonlyMap<string, Value>): number {
  let reach = -1;
  for (const name of template.names.keys()) {
    const at = dimensions.findIndex((dimension) => dimension.name === name);
    if (dimensions[at]?.mutable === true || isMutable(values.get(name))) return Infinity;
    reach = Math.max(reach, at);
  }
  return reach;
}

const ZERO = 0x30;

/** `int(text)`, the usual digits first. */
function integerOf(text: string): Integer {
  const { length } = text;
  if (length === 0 || length > 15) return intFromText(text);
  let value = 0;
  for (let at = 0; at < length; at += 1) {
    const digit = text.charCodeAt(at) - ZERO;
    if (digit < 0 || digit > 9) return intFromText(text);
    value = value * 10 + digit;
  }
  return value;
}

/** True if Jinja2 or the interpreter knows a name that was not given. */
export const isBuiltIn = (name: string): boolean => name === "self" || GLOBAL_NAMES.includes(name);
