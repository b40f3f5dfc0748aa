/** Files that the user gave beside the reference set, found again by the paths that references write. */
import type { ByteSource } from "../core/byte-source.ts";
import { groupedBy } from "../core/basics.ts";
import type { LocalFile } from "../core/open-set.ts";
import { blobSource } from "./file.ts";
import { decodedPart } from "./url-path.ts";

export type FileMatch =
  /** `how` is `path` where the whole path as written was found, `name` where only its end was. */
  | { readonly kind: "match"; readonly path: string; readonly how: "path" | "name" }
  | { readonly kind: "ambiguous"; readonly paths: readonly string[] }
  | { readonly kind: "none" };

/** Dropped files, those below a directory, or in a folder that a server lists: implementations never look outside. */
export interface LocalFiles {
  /** Paths with `/`, without a leading one. */
  readonly list: readonly string[];
  /** All paths that targets may have, if `list` is a part of them. */
  readonly all?: readonly string[];
  /** URL of a path, if the files are remote. */
  readonly urlOf?: (path: string) => string;
  /** `target` is a path or a URL as a reference writes it. */
  find(target: string): FileMatch;
  /** Tells what is at a path that `find` does not find, if a disk can be asked. */
  readonly outside?: (target: string) => "nothing" | "something" | "unreadable";
  /** `path` as `list` or `find` gave it; `undefined` for any other. */
  source(path: string): ByteSource | undefined;
  /** The same at a glance, where that is quicker than by the source; `undefined`: by the source, which also says what fails. */
  look?(path: string, length: number): FileLook | undefined;
}

export interface FileLook {
  /** Bytes. */
  readonly size: number;
  readonly modified: Date;
  /** The first bytes, as many as were asked for or the file has; until the next look. */
  readonly head: Uint8Array;
}

/** Later files replace earlier ones of the same path. */
export function droppedFiles(files: readonly LocalFile[]): LocalFiles {
  const blobs = new Map(files.map((file) => [file.path, file.blob]));
  const list = [...blobs.keys()];
  const byName = indexByName(list);
  return {
    list,
    find: (target) => findByPath(byName, target),
    source: (path) => {
      const blob = blobs.get(path);
      return blob === undefined ? undefined : blobSource(blob, path);
    },
  };
}

export type NameIndex = ReadonlyMap<string, readonly string[]>;

/** Paths by their last component. */
export function indexByName(paths: readonly string[]): NameIndex {
  return groupedBy(paths, (path) => path.slice(path.lastIndexOf("/") + 1));
}

/**
 * The path that shares the most trailing components with the target; as written first, then percent-decoded. Two
 * that share equally many are ambiguous, unless one of them is the target's whole path.
 */
export function findByPath(index: NameIndex, target: string): FileMatch {
  for (const spelling of spellings(target)) {
    const match = longestSuffix(index, components(spelling));
    if (match.kind !== "none") return match;
  }
  return { kind: "none" };
}

/** More files of one name are distinguished by their folders before each is looked at. */
const MANY = 32;

/** Lists narrowed so far, by the component counted from the end. */
const narrowed = new WeakMap<readonly string[], ReadonlyMap<string, readonly string[]>>();

/** All that share most with the target are among these. */
function candidatesFor(index: NameIndex, wanted: readonly string[]) {
  let paths = index.get(wanted.at(-1) ?? "") ?? [];
  for (let depth = 1; depth < wanted.length && paths.length > MANY; depth += 1) {
    const groups = narrowed.get(paths) ?? groupedBy(paths, (path) => componentAt(path, depth));
    narrowed.set(paths, groups);
    const inFolder = groups.get(wanted.at(-1 - depth) ?? "");
    if (inFolder === undefined) return { paths, shared: depth };
    paths = inFolder;
  }
  return { paths };
}

/** Counted from the end; empty where the path is too short. */
function componentAt(path: string, depth: number): string {
  let end = path.length;
  for (let at = 0; at < depth && end >= 0; at += 1) end = path.lastIndexOf("/", end - 1);
  return end <= 0 ? "" : path.slice(path.lastIndexOf("/", end - 1) + 1, end);
}

function longestSuffix(index: NameIndex, wanted: readonly string[]): FileMatch {
  const candidates = candidatesFor(index, wanted);
  const { shared } = candidates;
  const { best, paths } = shared === undefined ? longest(candidates.paths, wanted) : { best: shared, ...candidates };
  const all = wanted.join("/");
  const whole = paths.find((path) => path === all);
  const path = whole ?? paths[0];
  if (path === undefined) return { kind: "none" };
  if (whole === undefined && paths.length > 1) return { kind: "ambiguous", paths };
  return { kind: "match", path, how: best === wanted.length ? "path" : "name" };
}

function longest(candidates: readonly string[], wanted: readonly string[]) {
  let best = 0;
  let paths: string[] = [];
  for (const path of candidates) {
    const shared = sharedSuffix(wanted, path.split("/"));
    if (shared > best) [best, paths] = [shared, []];
    if (shared === best) paths.push(path);
  }
  return { best, paths };
}

/** Number of equal elements at the ends of both lists. */
export function sharedSuffix(a: readonly string[], b: readonly string[]): number {
  let shared = 0;
  while (shared < Math.min(a.length, b.length) && a.at(-1 - shared) === b.at(-1 - shared)) shared += 1;
  return shared;
}

/** Spellings of a target: as written, without query or fragment (URLs), percent-decoded. */
function* spellings(target: string): Generator<string> {
  const bare = target.replace(/^[a-z][a-z0-9+.-]*:\/+/i, "");
  yield bare;
  if (!/[%?#]/.test(bare)) return;
  const cut = bare.replace(/[?#].*$/s, "");
  yield* new Set([decodedPart(bare), cut, decodedPart(cut)].filter((one) => one !== bare));
}

/** Path components with `\` read as `/`, `.` and empty ones dropped, `..` taking back the one before it. */
function components(path: string): readonly string[] {
  if (!/\\|\/\/|^\/|\/$|(?:^|\/)\.\.?(?:\/|$)/.test(path)) return path === "" ? [] : path.split("/");
  const kept: string[] = [];
  for (const part of path.split(/[\\/]/)) {
    if (part === "..") kept.pop();
    else if (part !== "" && part !== ".") kept.push(part);
  }
  return kept;
}

/** `target` as a path relative to the folder of `base`; `..` never leaves the top. */
export function joinPath(base: string, target: string): string {
  const folder = base.slice(0, base.lastIndexOf("/") + 1);
  return components(`${folder}${target}`).join("/");
}
