/** Relative targets mean files beside the set: written elsewhere, they are others' unless they are written anew. */
import { failure, WHOLE_SET } from "#core/findings/finding.ts";
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

/** Without the query of the address, which may be a signature, and the name and password before its host. */
function besideUrl(target: string, url: string): string {
  const path = `./${encodedPath(target) ?? target}`;
  if (!URL.canParse(path, url)) return target;
  const beside = new URL(path, url);
  beside.username = beside.password = "";
  return beside.href;
}

/**
 * `fromThere` is absent where nobody knows where the set will be: then from the folder of the files, which is noted.
 * `sources`: where they will lie, or "" to keep relative paths. Throws `export-impossible` if two would lie at one path.
 */
export function movedTargets(
  table: ReferenceTable,
  base: BaseLocation,
  { fromThere, sources }: { readonly fromThere?: FromThere | undefined; readonly sources?: string | undefined },
  notes: WriteNotes,
) {
  const { targets } = table;
  const paths = sourcePaths(targets, sources !== undefined && sources !== "");
  const to = sources === undefined ? mover(base, fromThere ?? String) : sources === "" ? String : under(sources, paths);
  const others = [...paths].filter((target) => to(target) !== target).length;
  if (sources !== undefined && sources !== "") notes.changed("prefix", undefined, others);
  else if (base.kind === "url" && sources === undefined) notes.changed("relative-url", undefined, others);
  else if (base.kind === "file" && fromThere !== undefined && sources === undefined)
    notes.changed("relative-moved", undefined, others);
  else notes.relative(paths.size);
  if (others === 0) return { table, moved: undefined };
  const isMoved = (target: string) => isRelativePath(target) || (sources !== undefined && isLocalPath(target));
  const moved = (target: string): string => (isMoved(target) ? to(target) : target);
  const text = (id: number) => moved(targets.text(id));
  return { table: { ...table, targets: { count: targets.count, text, written: text } }, moved };
}

/** Relative paths, and those of a computer too where asked for. */
export function sourcePaths(targets: TargetDictionary, withLocal: boolean): ReadonlySet<string> {
  const paths = new Set<string>();
  for (let id = 0; id < targets.count; id += 1) {
    const text = targets.text(id);
    if (isRelativePath(text) || (withLocal && isLocalPath(text))) paths.add(text);
  }
  return paths;
}

const LOCAL = /^(?:file:(?:\/\/(?:localhost)?)?)?(?=[/\\]|[a-z]:[/\\])/i;
const isLocalPath = (target: string): boolean => LOCAL.test(target);
const plainPath = (target: string): string => target.replace(LOCAL, "").replaceAll("\\", "/");

/** Puts a prefix in place of the folder that relative paths have in common, and of that of the others. */
function under(prefix: string, paths: ReadonlySet<string>): FromThere {
  const folders = [true, false].map((isRelative) =>
    [...paths]
      .filter((path) => isRelativePath(path) === isRelative)
      .map(plainPath)
      .reduce<string | undefined>((shared, path) => sharedFolder(shared ?? path, path), undefined),
  );
  const [folder = "", localFolder = ""] = folders.map((one = "") => one.slice(0, one.lastIndexOf("/") + 1));
  const isWeb = /^https?:/i.test(prefix);
  const known = new Map<string, string>();
  return (target) => {
    const [path, shared] = [plainPath(target), isRelativePath(target) ? folder : localFolder];
    const rest = path.startsWith(shared) ? path.slice(shared.length) : path.replace(/^(?:[a-z]:)?\/+/i, "");
    const to = `${prefix.replace(/\/*$/, "/")}${(isWeb ? encodedPath(rest) : undefined) ?? rest}`;
    const other = known.get(to) ?? target;
    // A file may be called in several ways; two files must not become one.
    if (plainPath(other) !== path)
      throw failure("export-impossible", WHOLE_SET, { why: "shared", paths: [other, target] });
    known.set(to, other);
    return to;
  };
}

/** The longest beginning of both that ends with a slash, or both where they are the same. */
export function sharedFolder(one: string, other: string): string {
  if (one === other) return one;
  let end = 0;
  while (end < one.length && one[end] === other[end]) end += 1;
  return one.slice(0, one.lastIndexOf("/", end - 1) + 1);
}
