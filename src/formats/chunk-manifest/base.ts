/**
 * What relative paths are relative to. The proposal says nothing; the array's directory is the natural reading, and
 * VirtualiZarr wrote paths relative to the directory that its writer ran in, often the one that holds the store.
 */
import { isAbort } from "../../core/errors.ts";
import { finding, type Finding } from "../../core/findings/finding.ts";
import { nodeAt } from "../../core/findings/place.ts";

/** `directory`: relative to the store's root (`""` is the root, `".."` what holds the store); `undefined` while unknown. */
export interface PathBase {
  readonly directory: string | undefined;
  readonly findings: readonly Finding[];
}

/** No scheme, no leading slash, no drive letter, not one of fsspec's chains. */
export function isRelativePath(path: string): boolean {
  if (/^(?:[a-z][a-z0-9+.-]*:\/\/|[a-z]:[\\/]|[\\/])/i.test(path)) return false;
  return path !== "" && !/^(?:file|data|memory|blob|javascript|about|mailto):/i.test(path) && !path.includes("::");
}

/** Directories that a path of this array may be relative to, likeliest first. */
function directories(arrayPath: string): readonly string[] {
  const parts = arrayPath.split("/").filter((part) => part !== "");
  return [...parts.map((_part, index) => parts.slice(0, parts.length - index).join("/")), "", ".."];
}

/**
 * Where a path may lead, relative to the store's root, in the order to try: from the array's directory, from each of its
 * parents up to the root, from the directory that holds the store. Anything but a relative path leads to itself.
 */
export function candidatePaths(arrayPath: string, path: string): readonly string[] {
  if (!isRelativePath(path)) return [path];
  return [...new Set(directories(arrayPath).map((directory) => joined(directory, path)))];
}

/** The target that a path of the manifest means, relative to the store's root where it is relative. */
export function targetOf(path: string, base: PathBase | undefined): string {
  return base?.directory === undefined || !isRelativePath(path) ? path : joined(base.directory, path);
}

/** Paths listed of those that were not found. */
const MAX_LISTED = 5;

export interface PathQuestion {
  readonly arrayPath: string;
  /** In the manifest, as written. */
  readonly paths: readonly string[];
  /** How many relative paths are tried in each directory. Default 3. */
  readonly limit?: number;
}

/**
 * Finds the directory from which one of the manifest's first relative paths leads to something. `exists` is asked for one
 * path at a time, relative to the store's root; where it fails, that path counts as absent.
 * @throws what `exists` throws on cancellation
 */
export async function chooseBase(
  exists: (path: string) => Promise<boolean>,
  { arrayPath, paths, limit = 3 }: PathQuestion,
): Promise<PathBase> {
  const tried = firstRelative(paths, limit);
  if (tried.length === 0) return { directory: undefined, findings: [] };
  const asked = new Set<string>();
  for (const directory of directories(arrayPath)) {
    for (const path of tried) {
      const candidate = joined(directory, path);
      if (asked.has(candidate)) continue;
      asked.add(candidate);
      if (!(await answer(exists, candidate))) continue;
      return { directory, findings: [finding("manifest-path-base", nodeAt(arrayPath), { path, directory })] };
    }
  }
  const facts = { path: tried[0] ?? "", asked: [...asked].slice(0, MAX_LISTED), count: asked.size };
  return { directory: undefined, findings: [finding("manifest-path-not-found", nodeAt(arrayPath), facts)] };
}

function firstRelative(paths: readonly string[], limit: number): readonly string[] {
  const found: string[] = [];
  for (const path of paths) {
    if (found.length >= limit) break;
    if (isRelativePath(path)) found.push(path);
  }
  return found;
}

async function answer(exists: (path: string) => Promise<boolean>, path: string): Promise<boolean> {
  try {
    return await exists(path);
  } catch (error) {
    if (isAbort(error)) throw error;
    return false;
  }
}

function joined(directory: string, path: string): string {
  const kept: string[] = [];
  for (const part of `${directory}/${path}`.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === ".." && kept.length > 0 && kept.at(-1) !== "..") kept.pop();
    else kept.push(part);
  }
  return kept.join("/");
}
