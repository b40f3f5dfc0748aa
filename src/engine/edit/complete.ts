/** What may be written at a place inside a template's tags. Works on text that cannot be parsed at the moment. */
import { cut } from "../../core/words.ts";
import type { JsonMember, JsonNode } from "../../core/json.ts";
import type { TemplateSuggestion } from "../../core/studio.ts";
import { FILTER_NAMES, GLOBAL_NAMES, TEST_NAMES, TemplateError } from "../../templates/index.ts";
import { compiled } from "./diagnose-templates.ts";
import {
  dimensionsOf,
  looseText,
  memberOf,
  templateStringAt,
  templateTexts,
  type EditedText,
  type StringPlace,
} from "./edited-text.ts";
import { rawOffset, valueIndex } from "./string-text.ts";
import { FILTER_DOCS, GLOBAL_DOCS, LOOP_DOC, METHOD_DOCS, TEST_DOCS } from "./template-docs.ts";
import { tagAt, writingAt, type Writing } from "./template-tag.ts";

/** Those of the tests that are words, not signs. */
export const WORD_TESTS = TEST_NAMES.filter((name) => /^\w+$/.test(name));

type Offer = Omit<TemplateSuggestion, "start" | "end">;

export function complete(text: string, offset: number): readonly TemplateSuggestion[] {
  const document = looseText(text);
  const place = templateStringAt(document, offset);
  if (place === undefined) return [];
  const index = valueIndex(text, place.start, offset);
  const tag = tagAt(place.value, index);
  if (tag === undefined || index < tag.innerStart || (tag.closed && index > tag.innerEnd)) return [];
  const writing = writingAt(place.value, tag, index);
  const start = rawOffset(text, place.start, writing.from);
  const end = rawOffset(text, place.start, writing.to);
  return offers(document, place, writing).map((offer) => ({ ...offer, start, end }));
}

function offers(document: EditedText, place: StringPlace, { what }: Writing): readonly Offer[] {
  switch (what) {
    case "text":
      return [];
    case "filter":
      return named("filter", FILTER_NAMES, FILTER_DOCS);
    case "test":
      return named("test", WORD_TESTS, TEST_DOCS);
    case "method":
      return named("method", [...METHOD_DOCS.keys()], METHOD_DOCS).map((one) => ({
        ...one,
        insert: `${one.label}($0)`,
      }));
    case "name":
      return [...variables(document, place), ...named("global", GLOBAL_NAMES, GLOBAL_DOCS), ...loopIn(place)];
  }
}

function named(kind: Offer["kind"], names: readonly string[], docs: ReadonlyMap<string, string>): readonly Offer[] {
  return names.map((label) => ({ label, kind, detail: docs.get(label) ?? "" }));
}

const loopIn = ({ value }: StringPlace): readonly Offer[] =>
  /\{%[-+]?\s*for\b/.test(value) ? [{ label: "loop", kind: "loop", detail: LOOP_DOC }] : [];

/** A function template sees only what its calls give; all others see templates and dimensions. */
function variables(document: EditedText, { role }: StringPlace): readonly Offer[] {
  if (role.kind === "template") return [];
  const entry = role.kind === "gen" ? document.gen?.items[role.gen] : undefined;
  const dimensions = dimensionsOf(entry).map((member): Offer => dimensionOffer(member));
  return [...dimensions, ...[...templateTexts(document)].map(([name, value]) => templateOffer(name, value))];
}

function dimensionOffer({ key, node }: JsonMember): Offer {
  return { label: key, kind: "dimension", detail: dimensionDetail(node) };
}

function templateOffer(name: string, value: string): Offer {
  if (!value.includes("{{")) return { label: name, kind: "template", detail: cut(value, 80) };
  const [first, ...others] = parametersOf(value);
  const insert =
    first === undefined ? `${name}($0)` : `${name}(${[`${first}=$0`, ...others.map((one) => `${one}=`)].join(", ")})`;
  const documentation = "A function: it sees only its keyword arguments.";
  return { label: name, kind: "function", detail: cut(value, 80), documentation, insert };
}

/** Names that a function template takes as keyword arguments. */
export function parametersOf(source: string): readonly string[] {
  const template = compiled(source);
  if (template instanceof TemplateError) return [];
  return [...template.names.keys()].filter((name) => !GLOBAL_NAMES.includes(name));
}

/** "0 … 4, 5 values", of a list its first values. */
export function dimensionDetail(node: JsonNode): string {
  if (node.kind === "array") {
    const values = node.items.slice(0, 5).map((item) => itemText(item));
    const more = node.items.length > values.length ? ", …" : "";
    return `${node.items.length} values: ${values.join(", ")}${more}`;
  }
  const [start, stop, step] = ["start", "stop", "step"].map((name) => numberOf(memberOf(node, name)?.node));
  if (stop === undefined) return "range without stop";
  const [from, by] = [start ?? 0, step ?? 1];
  if (by === 0) return "range with step 0";
  const count = Math.max(0, Math.ceil((stop - from) / by));
  if (count === 0) return "no values";
  return `${from} … ${from + (count - 1) * by}${by === 1 ? "" : ` in steps of ${by}`}, ${count.toLocaleString("en")} values`;
}

const numberOf = (node: JsonNode | undefined): number | undefined =>
  node?.kind === "number" ? Number(node.value) : undefined;

function itemText(node: JsonNode): string {
  if (node.kind === "scalar") return cut(JSON.stringify(node.value), 80);
  return node.kind === "number" ? cut(node.text, 80) : node.kind === "array" ? "[…]" : "{…}";
}
