/** Branches and tags of format 1: a small JSON file each, below `refs/`. */
import { RefscopeError } from "../../core/errors.ts";
import type { Finding } from "../../core/findings/finding.ts";
import { isJsonObject } from "../../core/json.ts";
import { parseJson } from "../../core/parse-json.ts";
import { damaged, type FileName } from "./fault.ts";
import { textOf } from "./flat.ts";
import { isObjectId } from "./object-id.ts";
import { branchPath, deletedTagPath, MAIN, tagPath } from "./paths.ts";
import type { IcechunkObjects } from "./types.ts";

export interface Refs {
  readonly branches: ReadonlyMap<string, string>;
  readonly tags: ReadonlyMap<string, string>;
  readonly deletedTags: readonly string[];
  /** Branches and tags whose files say nothing that is a snapshot; they are in none of the maps. */
  readonly findings: readonly Finding[];
}

const REF = /^refs\/(branch|tag)\.([^/]+)\/ref\.json$/s;

/** Fetches all refs among the paths of objects. Deleted tags are named, and not fetched. */
export async function readListedRefs(objects: IcechunkObjects, paths: readonly string[]): Promise<Refs> {
  const all = new Set(paths);
  const branches = new Map<string, string>();
  const tags = new Map<string, string>();
  const deletedTags: string[] = [];
  const findings: Finding[] = [];
  for (const path of [...all].sort()) {
    const [, kind, name] = REF.exec(path) ?? [];
    if (name === undefined) continue;
    if (kind === "tag" && all.has(deletedTagPath(name))) {
      deletedTags.push(name);
      continue;
    }
    try {
      const snapshot = await fetchRef(objects, { kind: kind === "tag" ? "tag" : "branch", name });
      if (snapshot !== undefined) (kind === "tag" ? tags : branches).set(name, snapshot);
    } catch (error) {
      const found = error instanceof RefscopeError ? error.finding : undefined;
      if (found?.code !== "icechunk-file-damaged" || name === MAIN) throw error;
      findings.push(found);
    }
  }
  return { branches, tags, deletedTags, findings };
}

export interface RefName {
  readonly kind: "branch" | "tag";
  readonly name: string;
}

/** Id of the snapshot that a branch or tag of format 1 points to; `undefined` where there is none, or it was deleted. */
export async function fetchRef(objects: IcechunkObjects, { kind, name }: RefName): Promise<string | undefined> {
  if (name === "" || name.includes("/")) return undefined;
  const path = kind === "branch" ? branchPath(name) : tagPath(name);
  const bytes = await objects.get(path);
  if (bytes === undefined) return undefined;
  if (kind === "tag" && (await objects.get(deletedTagPath(name))) !== undefined) return undefined;
  return refSnapshot(bytes, { kind, path });
}

/** `{"snapshot":"<20 characters>"}`. @throws RefscopeError `icechunk-file-damaged` */
export function refSnapshot(bytes: Uint8Array, file: FileName): string {
  const fault = (found: string) =>
    damaged(file, { expected: '{"snapshot": "…"} with the id of a snapshot, 20 characters', found });
  if (bytes.length > 65_536) throw fault(`${bytes.length} bytes`);
  const text = textOf(bytes, () => fault("bytes that are not UTF-8 text"));
  const value = parsed(text, fault);
  const snapshot = isJsonObject(value) ? value.get("snapshot") : undefined;
  if (typeof snapshot === "string" && isObjectId(snapshot)) return snapshot;
  throw fault(JSON.stringify(text.slice(0, 80)));
}

function parsed(text: string, fault: (found: string) => Error) {
  try {
    return parseJson(text).value;
  } catch {
    throw fault(JSON.stringify(text.slice(0, 80)));
  }
}
