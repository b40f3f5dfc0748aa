import { attempt, orThrow } from "#core/basics.ts";
import { failure, ofFinding, RefscopeError, targetAt, WHOLE_SET } from "#core/findings/finding.ts";
import type { FactsOf, Finding } from "#core/findings/finding.ts";
import { isJsonObject, type JsonValue } from "#core/json/json.ts";
import * as core from "#core/json/message-pack.ts";
import { parseJson } from "#core/json/parse-json.ts";
import { type Configuration, configurationOf } from "./configuration.ts";
import { damaged, type FileName } from "./fault.ts";
import { finite, textOf } from "./flat.ts";
import { hasMagic, writerName } from "./header.ts";
import { isObjectId } from "./object-id.ts";
import { branchPath, CONFIG_PATH, deletedTagPath, MAIN, REFS_PREFIX, snapshotPath, tagPath } from "./paths.ts";
import type { Repository } from "./repository.ts";
import type { IcechunkObjects } from "./types.ts";

/** Parts that only repositories of format 1 need: fetched when one is opened. */

// MessagePack values that JSON has too: metadata of snapshots in format 1. Binary and extension values and keys that
// are not text are refused, as the official reader does.

const MAX_DEPTH = 64;

/** The first value; bytes after it are ignored. `fault` makes the error. */
export function readMessagePack(bytes: Uint8Array, fault: (expected: string, found: string) => Error): JsonValue {
  const faultAt = (expected: string, found: string, at: number) =>
    fault(`MessagePack: ${expected}`, `${found} at byte ${at}`);
  const make: core.MessagePackMaker<JsonValue> = {
    constant: (value) => value,
    float: finite,
    text: (text, at) => textOf(text, () => faultAt("UTF-8 text", "other bytes", at)),
    binary: (_, at) => {
      throw faultAt("a value that JSON has too", "binary data", at);
    },
    list: (count, next) => Array.from({ length: count }, next),
    map(count, key, value) {
      const members = new Map<string, JsonValue>();
      // All keys but text are refused.
      for (let index = 0; index < count; index += 1) members.set(key() as string, value());
      return members;
    },
    fault: faultAt,
  };
  return core.readMessagePack(bytes, make, MAX_DEPTH).value;
}

// Opening a repository of format 1: refs are files of their own, and so is the configuration.

/** @throws RefscopeError `icechunk-no-repository`, `icechunk-too-old` */
export async function openFormat1(objects: IcechunkObjects): Promise<Repository> {
  const listed = await objects.list?.(REFS_PREFIX);
  const { findings, ...refs } = listed === undefined ? await onlyMain(objects) : await readListedRefs(objects, listed);
  if (!refs.branches.has(MAIN)) {
    throw (
      (await oldLayoutFault(objects, listed)) ?? failure("icechunk-no-repository", WHOLE_SET, { refs: listed?.length })
    );
  }
  const { configuration, unreadable } = await readConfiguration(objects);
  return {
    format: 1,
    ...refs,
    refsComplete: listed !== undefined,
    configuration,
    findings: unreadable === undefined ? findings : [...findings, unreadable],
    info: undefined,
  };
}

async function onlyMain(objects: IcechunkObjects) {
  const snapshot = await fetchRef(objects, { kind: "branch", name: MAIN });
  const branches = new Map(snapshot === undefined ? [] : [[MAIN, snapshot] as const]);
  return { branches, tags: new Map<string, string>(), deletedTags: [], findings: [] };
}

async function readConfiguration(objects: IcechunkObjects) {
  const bytes = await objects.get(CONFIG_PATH);
  if (bytes === undefined) return { configuration: configurationOf(undefined), unreadable: undefined };
  return readConfigurationFile(bytes).then(
    (configuration) => ({ configuration, unreadable: undefined }),
    ofFinding(({ finding: unreadable }) => ({ configuration: configurationOf(undefined), unreadable })),
  );
}

// `config.yaml`, where repositories of format 1 have their configuration.

/** YAML is read by a package, fetched when there is some. @throws RefscopeError `icechunk-config-unreadable` */
export async function readConfigurationFile(bytes: Uint8Array): Promise<Configuration> {
  const fault = (expected: string, found: string) =>
    failure("icechunk-config-unreadable", targetAt(CONFIG_PATH), { expected, found });
  const text = orThrow(
    () => new TextDecoder("utf-8", { fatal: true }).decode(bytes),
    () => fault("UTF-8 text", "other bytes"),
  );
  const { readYaml } = await import("./yaml.ts");
  return configurationOf(readYaml(text, fault));
}

// Repositories of before 1.0: branches were a file a commit (`refs/branch.main/ZZZZZZZY.json`, in the alpha releases of
// 2024 `refs/branch:main/ZZZZZZZY.json`), named so that the newest comes first. They are recognised, and refused with
// what wrote them, as the official reader refuses them.

/** Name of a branch's first version, which exists unless the branch was deleted. */
const FIRST_VERSION = "ZZZZZZZZ";
const VERSION = /^refs\/branch[.:]([^/]+)\/[0-9A-HJKMNP-TV-Z]{8}\.json$/;

/** The failure that says so, where the objects are such a repository. */
async function oldLayoutFault(objects: IcechunkObjects, listed: readonly string[] | undefined) {
  const ref = await firstRef(objects, listed);
  if (ref === undefined) return undefined;
  return failure("icechunk-too-old", targetAt(ref.path), await writerOf(objects, ref.bytes, ref.path));
}

async function firstRef(objects: IcechunkObjects, listed: readonly string[] | undefined) {
  const paths = listed?.filter((at) => VERSION.test(at)).slice(0, 1) ?? [
    `refs/branch.main/${FIRST_VERSION}.json`,
    `refs/branch:main/${FIRST_VERSION}.json`,
  ];
  for (const path of paths) {
    const bytes = await objects.get(path);
    if (bytes !== undefined) return { path, bytes };
  }
  return undefined;
}

async function writerOf(objects: IcechunkObjects, ref: Uint8Array, path: string): Promise<FactsOf<"icechunk-too-old">> {
  const id = attempt(() => refSnapshot(ref, { kind: "branch", path }));
  const snapshot = id === undefined ? undefined : await objects.get(snapshotPath(id));
  const named = snapshot !== undefined && hasMagic(snapshot);
  return {
    writer: named ? writerName(snapshot) : undefined,
    format: named ? snapshot[36] : undefined,
    headless: snapshot !== undefined && !named,
  };
}

// Branches and tags of format 1: a small JSON file each, below `refs/`.

const REF = /^refs\/(branch|tag)\.([^/]+)\/ref\.json$/s;

/** Fetches all refs among the paths of objects. Deleted tags are named, and not fetched. */
async function readListedRefs(objects: IcechunkObjects, paths: readonly string[]) {
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

interface RefName {
  readonly kind: "branch" | "tag";
  readonly name: string;
}

/**
 * Id of the snapshot that a branch or tag of format 1 points to; `undefined` where there is none, or it was deleted.
 */
export async function fetchRef(objects: IcechunkObjects, { kind, name }: RefName): Promise<string | undefined> {
  if (name === "" || name.includes("/")) return undefined;
  const path = kind === "branch" ? branchPath(name) : tagPath(name);
  const bytes = await objects.get(path);
  if (bytes === undefined) return undefined;
  if (kind === "tag" && (await objects.get(deletedTagPath(name))) !== undefined) return undefined;
  return refSnapshot(bytes, { kind, path });
}

/** `{"snapshot":"<20 characters>"}`. @throws RefscopeError `icechunk-file-damaged` */
function refSnapshot(bytes: Uint8Array, file: FileName): string {
  const fault = (found: string) =>
    damaged(file, { expected: '{"snapshot": "…"} with the id of a snapshot, 20 characters', found });
  if (bytes.length > 65_536) throw fault(`${bytes.length} bytes`);
  const text = textOf(bytes, () => fault("bytes that are not UTF-8 text"));
  const written = () => fault(JSON.stringify(text.slice(0, 80)));
  const { value } = orThrow(() => parseJson(text), written);
  const snapshot = isJsonObject(value) ? value.get("snapshot") : undefined;
  if (typeof snapshot === "string" && isObjectId(snapshot)) return snapshot;
  throw written();
}
