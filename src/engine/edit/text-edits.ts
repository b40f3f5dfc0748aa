/**
 * A table edit as edits of the document's text, where the text is whole. Parsed again, the edited text means what the
 * edit says; all that it does not speak of keeps its spelling.
 */
import type { JsonMember, JsonNode, JsonObjectNode } from "#core/json/json.ts";
import { parseJsonTree } from "#core/json/parse-json.ts";
import type { TableEdit, TextEdit } from "#core/studio.ts";
import { editedText, stringOf, templateStrings, type EditedText } from "./edited-text.ts";
import { encodeRaw, rawOffset } from "./string-text.ts";

/**
 * Edits in the order of the text, none touching another. @throws RefscopeError `json-invalid` if the text is not JSON
 */
export function textEdits(text: string, edit: TableEdit): readonly TextEdit[] {
  const document = editedText(text, parseJsonTree(text).root);
  switch (edit.kind) {
    case "replace-prefix":
      return replacePrefix(document, edit.from, edit.to);
    case "set-reference":
      return setReferences(document, [[edit.key, edit.value]]);
    case "set-references":
      return setReferences(document, edit.values);
    case "remove-references":
    case "remove-reference": {
      const keys = new Set(edit.kind === "remove-reference" ? [edit.key] : edit.keys);
      return removeMembers(document, ({ key }) => keys.has(key));
    }
    case "drop-array":
      return removeMembers(document, ({ key }) => belongsTo(key, edit.path));
    case "shift-ranges":
      return shiftRanges(document, edit);
  }
}

export function applyTextEdits(text: string, edits: readonly TextEdit[]): string {
  let result = "";
  let at = 0;
  for (const { start, end, text: inserted } of edits) {
    result += text.slice(at, start) + inserted;
    at = end;
  }
  return result + text.slice(at);
}

/** True if a key is the array's: its metadata, or a chunk of it (also of its groups, if it were one). */
export function belongsTo(key: string, path: string): boolean {
  if (path === "") return !key.includes("/");
  return key.startsWith(`${path}/`);
}

/** Everywhere a URL is written: references, templates, URLs of gens. Overlaps cannot be: each string is its own. */
function replacePrefix(document: EditedText, from: string, to: string): readonly TextEdit[] {
  if (from === "" || from === to) return [];
  const places: number[] = [];
  for (const { node } of document.refs?.members ?? []) {
    const url = node.kind === "array" ? node.items[0] : undefined;
    if (url !== undefined && startsWith(url, from)) places.push(url.start);
  }
  for (const { role, value, start } of templateStrings(document)) {
    const isUrl = role.kind === "template" || (role.kind === "gen" && role.field === "url");
    if (isUrl && value.startsWith(from)) places.push(start);
  }
  const replace = (start: number): TextEdit => ({
    start: start + 1,
    end: rawOffset(document.text, start, from.length),
    text: encodeRaw(to),
  });
  return places.sort((a, b) => a - b).map(replace);
}

const startsWith = (node: JsonNode, prefix: string): boolean => stringOf(node)?.startsWith(prefix) === true;

/** The numbers of each `[url, offset, length]`; of repeated keys all. */
function shiftRanges({ refs, text: document }: EditedText, edit: ShiftRanges): readonly TextEdit[] {
  return (refs?.members ?? []).flatMap(({ key, node }) => {
    if (!isChunkOf(key, edit.path) || node.kind !== "array" || node.items.length !== 3) return [];
    const [, offset, length] = node.items;
    if (offset?.kind !== "number" || length?.kind !== "number") return [];
    const moved = shiftedRange(Number(offset.value), Number(length.value), edit);
    if (moved === undefined) return [];
    const put = ({ start, end }: JsonNode, value: number): TextEdit => ({ start, end, text: String(value) });
    const edits = [put(offset, moved.offset), put(length, moved.length)];
    return edits.filter(({ start, end, text }) => text !== document.slice(start, end));
  });
}

/** Keys that are there in their places, the others after the last member. */
function setReferences(document: EditedText, values: readonly (readonly [key: string, value: string])[]) {
  const { refs, root, text } = document;
  const wanted = new Map(values);
  // The last of repeated keys counts.
  const known = new Map(refs?.members.flatMap((one) => (wanted.has(one.key) ? [[one.key, one.node] as const] : [])));
  const inPlace = [...known]
    .map(([key, { start, end }]): TextEdit => ({ start, end, text: wanted.get(key) ?? "" }))
    .toSorted((a, b) => a.start - b.start);
  const members = values.flatMap(([key, value]) => (known.has(key) ? [] : [`${JSON.stringify(key)}: ${value}`]));
  if (members.length === 0) return inPlace;
  if (refs === undefined)
    return root.kind === "object" ? [appended(text, root, `"refs": {${members.join(", ")}}`)] : [];
  return [...inPlace, appended(text, refs, ...members)];
}

/** After the last member, on a line of its own where the members have lines of their own. */
function appended(text: string, object: JsonObjectNode, ...members: readonly string[]): TextEdit {
  const last = object.members.at(-1);
  if (last === undefined) return { start: object.start + 1, end: object.start + 1, text: members.join(", ") };
  const space = /[ \t\r\n]*$/.exec(text.slice(object.start + 1, last.keyStart))?.[0] ?? "";
  const before = object.members.length > 1 ? spaceBefore(text, last) : space;
  const added = members.map((member) => `,${before}${member}`).join("");
  return { start: last.node.end, end: last.node.end, text: added };
}

function spaceBefore(text: string, member: JsonMember): string {
  let from = member.keyStart;
  while (" \t\r\n".includes(text.charAt(from - 1))) from -= 1;
  return text.slice(from, member.keyStart);
}

/** All of the repeated keys go. Runs of removed members become one edit, so that commas come out right. */
function removeMembers({ refs }: EditedText, isRemoved: (member: JsonMember) => boolean): readonly TextEdit[] {
  const members = refs?.members ?? [];
  const edits: TextEdit[] = [];
  for (let at = 0; at < members.length;) {
    const end = runEnd(members, at, isRemoved);
    const [first, last, before, after] = [members[at], members[end - 1], members[at - 1], members[end]];
    if (end > at && first !== undefined && last !== undefined) {
      // With a member after it the run ends where that begins; the last run takes the comma before it.
      const from = after !== undefined || before === undefined ? first.keyStart : before.node.end;
      edits.push({ start: from, end: after?.keyStart ?? last.node.end, text: "" });
    }
    at = Math.max(end, at + 1);
  }
  return edits;
}

function runEnd(members: readonly JsonMember[], from: number, isRemoved: (member: JsonMember) => boolean): number {
  let end = from;
  for (let member = members[end]; member !== undefined && isRemoved(member); member = members[end]) end += 1;
  return end;
}

// The edit `shift-ranges`: which keys it means, and where a range comes to lie.

export type ShiftRanges = Extract<TableEdit, { kind: "shift-ranges" }>;

/** Names of chunks, whatever the separator (Zarr v2 §"Chunks", Zarr v3 §"Chunk key encoding"). */
const CHUNK_NAME = /^(?:c(?:[./]\d+)*|\d+(?:[./]\d+)*)$/;

/**
 * True if a key is that of a chunk of the array at `path`. Arrays have no nodes below them that it could be instead.
 */
export function isChunkOf(key: string, path: string): boolean {
  const prefix = path === "" ? "" : `${path}/`;
  return key.startsWith(prefix) && CHUNK_NAME.test(key.slice(prefix.length));
}

/**
 * `undefined` where the range stays as it is: it would begin before 0 or have no bytes, or is not a range of whole
 * bytes.
 */
export function shiftedRange(
  offset: number,
  length: number,
  { shift, lengthen }: Pick<ShiftRanges, "shift" | "lengthen">,
): { readonly offset: number; readonly length: number } | undefined {
  const moved = { offset: offset + shift, length: length + lengthen };
  const numbers = [offset, length, shift, lengthen, moved.offset + moved.length];
  if (!numbers.every((number) => Number.isSafeInteger(number))) return undefined;
  return offset < 0 || moved.offset < 0 || moved.length <= 0 ? undefined : moved;
}
