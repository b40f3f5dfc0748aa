/** Finds the line at which a document writes a key's origin, and its text, for users without an editor. */
import { looseText } from "./edited-text.ts";
import { documentIndex } from "./document-index.ts";
import { placeOfKey } from "./row-place.ts";
import { type EngineSet, isDocument } from "../engine-set.ts";

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
