/** Rules of conventions about members of metadata, as rows of tables, and what breaks them. */
import { describeJson, isJsonObject, type JsonObject, type JsonValue } from "../json/json.ts";
import { writeJson } from "../json/parse-json.ts";
import type { Must, StoppingRule } from "../findings/catalogue/formats/conventions.ts";
import { cut } from "../words.ts";

export type { Must };

/** `found`: a text tells it in words, anything else is shown as JSON. */
export type MustSink = (
  member: string,
  expected: string,
  found: { readonly value: JsonValue | undefined } | string,
  about?: Partial<Pick<Must, "rule" | "section" | "write">>,
) => void;

export const mustSink =
  (convention: string, into: (must: Must) => void, section = ""): MustSink =>
  (member, expected, found, about) => {
    const words = typeof found === "string" ? found : shown(found.value);
    into({ rule: "note", section, member, expected, ...about, convention, found: words });
  };

const MAX_SHOWN = 80;
const MAX_SHOWN_ITEMS = 10;

/** Texts, numbers and short lists of them as JSON, everything else by its kind. */
function shown(value: JsonValue | undefined): string {
  const isDeep = (one: JsonValue) => typeof one === "object" && one !== null;
  const isLong =
    isJsonObject(value) || (Array.isArray(value) && (value.length > MAX_SHOWN_ITEMS || value.some(isDeep)));
  return value === undefined || isLong ? describeJson(value) : cut(writeJson(value), MAX_SHOWN);
}

/** Elements of a list that are looked at. */
const MAX_ITEMS = 1000;

/** The first objects of a list; `undefined` if it is no list of objects. */
export function objectsOf(value: JsonValue | undefined): readonly JsonObject[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const items: readonly JsonValue[] = value.slice(0, MAX_ITEMS);
  return items.every((one) => isJsonObject(one)) ? items : undefined;
}

/** One rule: form of a member. In its path, `[]` means each object of a list. */
export interface MemberRule {
  readonly at: string;
  readonly expected: string;
  readonly is: "text" | "object" | "objects" | "list" | "integer" | "number";
  /** The list may be empty, or the member absent. */
  readonly isOptional?: boolean;
  readonly pattern?: string;
  readonly least?: number;
  readonly most?: number;
  readonly length?: number;
  /** Form of each element of a list. */
  readonly each?: MemberRule["is"];
  /** Member that no two objects of the list share. */
  readonly unique?: string;
  readonly rule?: StoppingRule;
  readonly section: string;
}

type RowForm = Partial<Omit<MemberRule, "at" | "is" | "section" | "isOptional">>;

const EXPECTED: Readonly<Record<MemberRule["is"], string>> = {
  text: "a text",
  object: "an object",
  objects: "a list of objects",
  list: "a list",
  integer: "an integer",
  number: "a number",
};

/** Rules of one section, a row each. `?` behind a path: the list may be empty, or the member absent. */
export const inSection = (
  section: string,
  rows: readonly (readonly [path: string, is: MemberRule["is"], form?: RowForm])[],
): readonly MemberRule[] =>
  rows.map(([path, is, form = {}]) => {
    const isOptional = path.endsWith("?");
    const { unique, least } = form;
    const kind =
      unique !== undefined ? ` with different ${unique}s` : is === "integer" && least === 1 ? " above 0" : "";
    const expected = `${EXPECTED[is]}${kind}`;
    return { at: isOptional ? path.slice(0, -1) : path, is, isOptional, section, expected, ...form };
  });

/** Members under `prefix` that break one of the rules. */
export function breaches(root: JsonObject, prefix: string, rules: readonly MemberRule[], sink: MustSink): void {
  for (const rule of rules) {
    for (const [member, value] of membersAt(root, rule.at.split("/"), prefix)) {
      if (value === undefined ? rule.isOptional === true : fits(value, rule)) continue;
      sink(member, rule.expected, { value }, { section: rule.section, rule: rule.rule ?? "note" });
    }
  }
}

/** Values at a path; none where an object on the way is absent, which is another rule's. */
function* membersAt(
  value: JsonObject,
  [name = "", ...rest]: readonly string[],
  prefix: string,
): Generator<readonly [member: string, value: JsonValue | undefined]> {
  const key = name.replace("[]", "");
  const [inner, member] = [value.get(key), `${prefix}${key}`];
  if (rest.length === 0) return yield [member, inner];
  if (key === name) {
    if (isJsonObject(inner)) yield* membersAt(inner, rest, `${member}.`);
    return;
  }
  for (const [at, one] of (objectsOf(inner) ?? []).entries()) yield* membersAt(one, rest, `${member}[${at}].`);
}

type Form = Pick<MemberRule, "is"> & RowForm;

function fits(value: JsonValue, { is, least = -Infinity, most = Infinity, ...form }: Form): boolean {
  const { pattern, length, each, unique } = form;
  if (is === "text") return typeof value === "string" && (pattern === undefined || new RegExp(pattern).test(value));
  if (is === "object") return isJsonObject(value);
  if (is === "integer" || is === "number") {
    const isOne =
      typeof value === "bigint" || (typeof value === "number" && (is === "number" || Number.isInteger(value)));
    return isOne && Number(value) >= least && Number(value) <= most;
  }
  if (!Array.isArray(value) || (is === "objects" && objectsOf(value) === undefined)) return false;
  if ((length ?? value.length) !== value.length || value.length < least) return false;
  const element = each !== undefined && ({ is: each, most, ...(each === "integer" && { least: 0 }) } as const);
  if (element !== false && !value.slice(0, MAX_ITEMS).every((one) => fits(one, element))) return false;
  const named = (objectsOf(value) ?? []).flatMap((one) => (unique === undefined ? [] : [one.get(unique)]));
  return new Set(named).size === named.length;
}
