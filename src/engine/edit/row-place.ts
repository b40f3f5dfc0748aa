/** From a key of the result to what made it in the text, and back. */
import type { RowPlace } from "#core/studio.ts";
import { firstPlace } from "#core/basics.ts";
import { looseText, type EditedText } from "./edited-text.ts";
import { findItem, genOrdinal, keyOf, type DocumentIndex, documentIndex } from "./document-index.ts";
import { type EngineSet, isDocument } from "../engine-set.ts";

/** `undefined` where nothing in this text makes the key: it is kept in the table, or the text is another by now. */
export function placeOfKey(of: DocumentIndex, document: EditedText, key: string): RowPlace | undefined {
  const item = findItem(of, key);
  const ordinal = item === undefined ? undefined : genOrdinal(of, item);
  if (ordinal !== undefined) {
    const gen = of.set.renderer?.origin(ordinal).gen ?? -1;
    const entry = document.gen?.items[gen];
    return entry === undefined ? undefined : { start: entry.start, end: entry.end };
  }
  const member = document.refs?.members.findLast((one) => one.key === key);
  return member === undefined ? undefined : { start: member.keyStart, end: member.node.end };
}

/** The first row that the place makes; a key in `refs` as it is written, if the set has it. */
export function placeRow(of: DocumentIndex, text: string, offset: number): string | undefined {
  const document = looseText(text);
  const gen = document.gen?.items.findIndex(({ start, end }) => start <= offset && offset <= end) ?? -1;
  if (gen >= 0) return firstOfGen(of, gen);
  const member = document.refs?.members.find(({ keyStart, node }) => keyStart <= offset && offset <= node.end);
  if (member === undefined || findItem(of, member.key) === undefined) return undefined;
  return member.key;
}

function firstOfGen(of: DocumentIndex, gen: number): string | undefined {
  const { renderer } = of.set;
  if (renderer === undefined || renderer.size === 0) return undefined;
  const ordinal = firstOrdinal(renderer, gen);
  if (ordinal === undefined) return undefined;
  let key: string | undefined;
  renderer.generate(ordinal, (entry) => {
    key = entry.key;
    return false;
  });
  // A gen that fails at once makes nothing: what comes then is the next one's.
  const item = key === undefined ? undefined : findItem(of, key);
  return item === undefined ? undefined : keyOf(of, item);
}

/** First ordinal of a gen, by halving: gens follow each other in order of their ordinals. */
function firstOrdinal(renderer: NonNullable<DocumentIndex["set"]["renderer"]>, gen: number): number | undefined {
  const low = firstPlace(0, renderer.size, (ordinal) => renderer.origin(ordinal).gen < gen);
  return low < renderer.size && renderer.origin(low).gen === gen ? low : undefined;
}

// Finds the line at which a document writes a key's origin, and its text, for users without an editor.

/** From 1; `undefined` where it is all on one line, or not known. */
export function lineOfKey(set: EngineSet, key: string): number | undefined {
  const found = writtenPlace(set, key);
  return found === undefined || !/\n./.test(found.text) ? undefined : lineAt(found.text, found.start);
}

/** Shown of what a key is. */
const MAX_WRITTEN = 300;

/** `"sst/0": ["a.nc", 0, 10]` on one line, the end of a long one left out; `undefined` where that is not known. */
export function writtenOfKey(set: EngineSet, key: string): string | undefined {
  const found = writtenPlace(set, key);
  if (found === undefined) return undefined;
  const written = found.text.slice(found.start, Math.min(found.end, found.start + MAX_WRITTEN * 2));
  const flat = written.replaceAll(/\s*\n\s*/g, " ");
  return flat.length > MAX_WRITTEN || found.end - found.start > written.length
    ? `${flat.slice(0, MAX_WRITTEN)}…`
    : flat;
}

function writtenPlace(set: EngineSet, key: string) {
  const text = isDocument(set) ? set.documentText : undefined;
  if (!isDocument(set) || text === undefined) return undefined;
  const place = placeOfKey(documentIndex(set), looseText(text), key);
  return place === undefined ? undefined : { text, ...place };
}

function lineAt(text: string, start: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < start; at = text.indexOf("\n", at + 1)) line += 1;
  return line;
}
