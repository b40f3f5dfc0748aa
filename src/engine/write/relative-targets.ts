/** Relative targets mean files beside the set: written elsewhere, they are others' unless they are written anew. */
import type { ReferenceTable, TargetDictionary } from "#core/table/reference-table.ts";
import type { BaseLocation } from "#io/resolve.ts";
import { isRelativePath, encodedPath } from "#io/url-path.ts";
import type { WriteNotes } from "./notes.ts";

/** From a path among the files that a set was opened with to what it is called where the set is written. */
export type FromThere = (path: string) => string;

export const folderOf = (base: BaseLocation): string =>
  base.kind === "file" ? base.path.slice(0, base.path.lastIndexOf("/") + 1) : "";

/** Maps targets to their new form; `undefined` if all stay as they are. An archive has paths of its own. */
function mover(base: BaseLocation, fromThere: FromThere): FromThere {
  if (base.kind === "url") return (target) => besideUrl(target, base.url);
  return folderOf(base).includes("!/") ? (target) => target : (target) => fromThere(folderOf(base) + target);
}

/** Without the query of the address, which may be a signature. */
function besideUrl(target: string, url: string): string {
  const path = `./${encodedPath(target) ?? target}`;
  return URL.canParse(path, url) ? new URL(path, url).href : target;
}

/**
 * `fromThere` is absent where nobody knows where the set will be: then from the folder of the files, which is noted.
 */
export function movedTargets(
  table: ReferenceTable,
  base: BaseLocation,
  fromThere: FromThere | undefined,
  notes: WriteNotes,
) {
  const { targets } = table;
  const to = mover(base, fromThere ?? String);
  const relative = relativeTargets(targets);
  const others = [...relative].filter((target) => to(target) !== target).length;
  if (base.kind === "url") notes.changed("relative-url", undefined, others);
  else if (base.kind === "file" && fromThere !== undefined) notes.changed("relative-moved", undefined, others);
  else notes.relative(relative.size);
  if (others === 0) return { table, moved: undefined };
  const moved = (target: string): string => (isRelativePath(target) ? to(target) : target);
  const text = (id: number) => moved(targets.text(id));
  return { table: { ...table, targets: { count: targets.count, text, written: text } }, moved };
}

export function relativeTargets(targets: TargetDictionary): ReadonlySet<string> {
  const relative = new Set<string>();
  for (let id = 0; id < targets.count; id += 1) if (isRelativePath(targets.text(id))) relative.add(targets.text(id));
  return relative;
}
