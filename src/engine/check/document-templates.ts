/**
 * Templates and gens of a Version 1 document as far as rules need them: what uses which, and which array a gen is for.
 */
import { attempt } from "#core/basics.ts";
import { isJsonObject, memberOf, membersOf, type JsonNode } from "#core/json/json.ts";
import { parseJson, parseJsonTree } from "#core/json/parse-json.ts";
import type { Dimension } from "../render/dimensions.ts";
import type { DocumentParts } from "../engine-set.ts";

type Texts = Pick<DocumentParts, "templates" | "gen">;

/** Name and text; those that are no text are left out. */
export function templateTexts({ templates }: Pick<Texts, "templates">): ReadonlyMap<string, string> {
  const value = valueOf(templates);
  if (!isJsonObject(value)) return new Map();
  return new Map([...value].flatMap(([name, text]) => (typeof text === "string" ? [[name, text] as const] : [])));
}

function valueOf(text: string | undefined) {
  if (text === undefined) return undefined;
  return attempt(() => parseJson(text).value);
}

/** Words in the tags of a template, names among them: more than it uses, never fewer. */
export function wordsInTags(text: string): readonly string[] {
  if (!text.includes("{")) return [];
  return [...text.matchAll(/\{[{%](.*?)(?:[}%]\}|$)/gs)].flatMap(
    ([, inside = ""]) => inside.match(/[\p{L}_][\p{L}\p{N}_]*/gu) ?? [],
  );
}

export interface GenRange {
  readonly name: string;
  readonly first: number;
  readonly step: number;
  readonly count: number;
}

export interface GenPart {
  readonly index: number;
  /** All its strings. */
  readonly texts: readonly string[];
  /** Text of the key before its first tag, without the slash at its end. */
  readonly array: string | undefined;
  /** Ranges by axis of the key: the one whose values are the coordinate, if the tag is only its name. */
  readonly axes: readonly (GenRange | undefined)[];
}

const MAX_GENS = 1000;

export async function genParts({ gen }: Pick<Texts, "gen">): Promise<readonly GenPart[]> {
  if (gen === undefined) return [];
  // Few documents have gens, and Jinja is large.
  const { readDimensions } = await import("../render/dimensions.ts");
  try {
    const { root } = parseJsonTree(gen);
    if (root.kind !== "array") return [];
    return root.items.slice(0, MAX_GENS).map((item, index) => genPart(item, index, readDimensions));
  } catch {
    return [];
  }
}

type ReadDimensions = (node: JsonNode) => readonly Dimension[];

function genPart(item: JsonNode, index: number, read: ReadDimensions): GenPart {
  const texts = [...(membersOf(item) ?? [])].flatMap(([, node]) => stringValue(node) ?? []);
  const key = stringValue(memberOf(item, "key"));
  if (key === undefined) return { index, texts, array: undefined, axes: [] };
  const tag = /\{[{%#]/.exec(key)?.index ?? key.length;
  const slash = key.lastIndexOf("/", tag - 1);
  const array = tag === 0 ? undefined : key.slice(0, Math.max(0, slash));
  const ranges = rangesOf(memberOf(item, "dimensions"), read);
  const axes = key
    .slice(slash + 1)
    .split(/[./](?![^{]*\})/)
    .map((part) => ranges.get(/^\{\{\s*([\p{L}_][\p{L}\p{N}_]*)\s*\}\}$/u.exec(part)?.[1] ?? ""));
  return { index, texts, array, axes };
}

const stringValue = (node: JsonNode | undefined): string | undefined =>
  node?.kind === "scalar" && typeof node.value === "string" ? node.value : undefined;

/** Only those of integers that are evenly spaced: what `start`, `stop` and `step` give. */
function rangesOf(node: JsonNode | undefined, read: ReadDimensions): ReadonlyMap<string, GenRange> {
  const ranges = new Map<string, GenRange>();
  if (node === undefined) return ranges;
  for (const { name, count, at } of read(node)) {
    if (memberOf(node, name)?.kind === "array") continue;
    const [first, second] = [at(0), at(1)];
    if (typeof first !== "number" || typeof second !== "number") continue;
    ranges.set(name, { name, first, step: second - first, count: Number(count) });
  }
  return ranges;
}
