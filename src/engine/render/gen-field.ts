/** One template of a gen (key, url, offset, length), rendered once for each entry, or less often where that is safe. */
import type { JsonNode } from "../../core/json/json.ts";
import { GLOBAL_NAMES, type Integer, type Template, type Value } from "../../templates/index.ts";
import { intFromText } from "../../templates/python/index.ts";
import type { Dimension } from "./dimensions.ts";
import { textOf } from "./json-types.ts";
import { FsspecError } from "./raised.ts";
import { isMutable, notATemplate, refuseSelf, type Templates } from "./templates.ts";

export type FieldName = "key" | "url" | "offset" | "length";

/** Told once, when the field is first compiled. */
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

  /** In fsspec's order: compiled, then rendered with all variables, which may collide. */
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

/** Whether Jinja2 or the interpreter knows a name that was not given. */
export const isBuiltIn = (name: string): boolean => name === "self" || GLOBAL_NAMES.includes(name);
