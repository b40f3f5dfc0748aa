/** Marks of nodes in the levels that a set's groups declare. The code that reads these is fetched if there are any. */
import type { LevelMark } from "#core/conventions/levels.ts";
import type { Hierarchy } from "#core/metadata/array-metadata.ts";
import { isJsonObject } from "#core/json/json.ts";

/** A set that grows is described again and again; its hierarchy stays what it is. */
const MARKS = new WeakMap<Hierarchy, ReadonlyMap<string, LevelMark>>();
const NONE: ReadonlyMap<string, LevelMark> = new Map();

/** Marks by path; empty before `readLevelMarks`. */
export const levelMarks = (hierarchy: Hierarchy): ReadonlyMap<string, LevelMark> => MARKS.get(hierarchy) ?? NONE;

/** To be waited for before nodes are listed. */
export async function readLevelMarks(hierarchy: Hierarchy): Promise<void> {
  if (MARKS.has(hierarchy) || !hasAttribute(hierarchy, /^(?:multiscales|ome)$/)) return;
  const { marksIn } = await import("./levels.ts");
  MARKS.set(hierarchy, marksIn(hierarchy));
}

/** True if any group or array has an attribute of such a name. */
export function hasAttribute({ nodes }: Hierarchy, name: RegExp): boolean {
  for (const { attributes } of nodes.values()) {
    if (!isJsonObject(attributes)) continue;
    for (const key of attributes.keys()) if (name.test(key)) return true;
  }
  return false;
}
