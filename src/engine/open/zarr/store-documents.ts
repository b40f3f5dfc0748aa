/** A store's metadata documents: all if it can be listed, else those named by consolidated metadata or the root. */
import { attempt } from "#core/basics.ts";
import type { CallContext } from "#core/byte-source.ts";
import { factsOfFailure, failure, finding, findingOfError, isAbort, keyAt, WHOLE_SET } from "#core/findings/finding.ts";
import type { Finding } from "#core/findings/finding.ts";
import { isMetadataName, METADATA_NAMES, splitMetadataKey } from "#core/metadata/hierarchy-path.ts";
import type { MetadataDocument } from "#core/metadata/array-metadata.ts";
import { isJsonObject, type JsonValue } from "#core/json/json.ts";
import { documentTextOf } from "#core/metadata/node-document.ts";
import { parseJson } from "#core/json/parse-json.ts";
import { isWebPage, type Store } from "#io/store.ts";
import { refusal } from "#io/store-answer.ts";
import { eachAtOnce } from "#engine/kept.ts";

export interface StoreDocuments {
  readonly documents: ReadonlyMap<string, MetadataDocument>;
  readonly findings: readonly Finding[];
  readonly bytes: number;
  /** True if there may be nodes that cannot be listed. */
  readonly unlisted: boolean;
  /** Why the first that is not absent could not be fetched. */
  readonly failure?: unknown;
}

const MAX_DOCUMENTS = 50_000;
const LARGEST_DOCUMENT = 64 << 20;
const AT_ONCE = 8;

/** `paths` are asked for beside the root, where the store cannot be listed. */
export async function storeDocuments(
  store: Store,
  paths: readonly string[],
  context: CallContext,
): Promise<StoreDocuments> {
  const reader = documentReader(store, context);
  if (store.keys !== undefined) {
    const keys = store.keys.filter((key) => isMetadataName(splitMetadataKey(key).document));
    await reader.readAll(keys.slice(0, MAX_DOCUMENTS));
    if (keys.length > MAX_DOCUMENTS) {
      const facts = { problem: "documents", limit: MAX_DOCUMENTS, documents: keys.length } as const;
      reader.note(finding("hierarchy-too-large", WHOLE_SET, facts));
    }
    return reader.result(false);
  }
  await reader.read(".zmetadata");
  if (reader.textOf(".zmetadata") !== undefined) return reader.result(false);
  if (await reader.read("zarr.json")) {
    const kind = kindOf(reader.textOf("zarr.json"));
    const isListed = kind === "array" || kind === "consolidated" || (await askForListed(reader, store, context));
    if (!isListed) await askForNamed(reader, paths);
    return reader.result(kind === "group" && !isListed);
  }
  await reader.readAll([".zarray", ".zgroup", ".zattrs"]);
  const isListed = await askForListed(reader, store, context);
  if (!isListed) await askForNamed(reader, paths);
  return reader.result(reader.textOf(".zarray") === undefined && !isListed);
}

/** Groups and arrays that are asked for because they are listed. */
const MAX_LISTED = 2000;

/**
 * Lists all groups to their end: a request a group, none for the objects of an array. False for a listing without the
 * group's own document, which is one of something else.
 */
async function askForListed(reader: DocumentReader, store: Store, context: CallContext): Promise<boolean> {
  const isVersion3 = reader.textOf("zarr.json") !== undefined;
  const names = isVersion3 ? ["zarr.json"] : [".zgroup", ".zarray", ".zattrs"];
  const isGroup = (folder: string): boolean => {
    const [text, other] = names.map((name) => reader.textOf(folder + name));
    return text !== undefined && other === undefined && !(isVersion3 && kindOf(text) === "array");
  };
  let left = MAX_LISTED;
  let isWhole = isGroup("");
  const askBelow = async (group: string): Promise<void> => {
    const listing = isWhole ? await store.list?.(group, "", context) : undefined;
    const below = Array.from(listing?.folders ?? [], (name) => `${group}${name}/`);
    left -= below.length;
    // A name that the server leaves out may be there all the same, and was read.
    const hasOwn = listing?.files.has(names[0] ?? "") === true || (!isVersion3 && listing?.hidesDots === true);
    isWhole &&= left >= 0 && listing?.isCut === false && hasOwn;
    if (!isWhole) return;
    await reader.readAll(below.flatMap((folder) => names.map((name) => folder + name)));
    await eachAtOnce(below.filter(isGroup), AT_ONCE, askBelow);
  };
  await askBelow("");
  if (left < 0) reader.note(finding("hierarchy-too-large", WHOLE_SET, { problem: "nodes", limit: MAX_LISTED }));
  return isWhole;
}

async function askForNamed(reader: DocumentReader, paths: readonly string[]): Promise<void> {
  await askFor(reader, paths);
  await askForLevels(reader, paths);
}

async function askFor(reader: DocumentReader, paths: readonly string[]): Promise<void> {
  const keys = paths.flatMap((path) => METADATA_NAMES.map((name) => (path === "" ? name : `${path}/${name}`)));
  await reader.readAll(keys);
}

/** Levels that are asked for unasked, since a group names them. */
const MAX_LEVELS_ASKED = 32;

/** The levels that the groups here declare; nothing else says what is in a group that cannot be listed. */
async function askForLevels(reader: DocumentReader, paths: readonly string[]): Promise<void> {
  const known = new Set(["", ...paths]);
  const keys: string[] = [];
  for (const path of known) {
    const below = path === "" ? "" : `${path}/`;
    const isVersion3 = reader.textOf(`${below}zarr.json`) !== undefined;
    const attributes = attributesIn(reader.textOf(`${below}${isVersion3 ? "zarr.json" : ".zattrs"}`), isVersion3);
    if (!isJsonObject(attributes) || !["multiscales", "ome"].some((name) => attributes.has(name))) continue;
    const { levelsOf } = await import("#core/conventions/read-levels.ts");
    const levels = levelsOf(path, attributes).sets.flatMap((set) => set.levels.map((level) => level.path));
    const names = isVersion3 ? ["zarr.json"] : [".zarray", ".zgroup", ".zattrs"];
    for (const level of levels.filter((one) => !known.has(one)).slice(0, MAX_LEVELS_ASKED))
      keys.push(...names.map((name) => `${level}/${name}`));
  }
  await reader.readAll([...new Set(keys)]);
}

function attributesIn(text: string | undefined, isVersion3: boolean): JsonValue | undefined {
  if (text === undefined) return undefined;
  // Unreadable documents are reported when the whole document is read.
  const value = attempt(() => parseJson(text).value);
  if (!isVersion3) return value;
  return isJsonObject(value) ? value.get("attributes") : undefined;
}

/** Kind that a `zarr.json` states; `undefined` if it cannot be read. */
function kindOf(text: string | undefined): "array" | "group" | "consolidated" | undefined {
  const value = attempt(() => parseJson(text ?? "").value);
  if (!isJsonObject(value)) return undefined;
  if (isJsonObject(value.get("consolidated_metadata"))) return "consolidated";
  const type = value.get("node_type");
  return type === "array" || type === "group" ? type : undefined;
}

/** The host answers, and a page may not read what. */
function isUnreadable(error: unknown): boolean {
  const facts = factsOfFailure(error, "cors-missing");
  return facts !== undefined && !facts.withCredentials && facts.redirects !== true;
}

type DocumentReader = ReturnType<typeof documentReader>;

/**
 * Collects the documents that came, those that failed, and those whose answer a page could not read before any other
 * came.
 */
function keptDocuments() {
  const documents = new Map<string, MetadataDocument>();
  const findings: Finding[] = [];
  const unreadable = new Map<string, unknown>();
  const noteUnreadable = (key: string): void => {
    if (!findings.some(({ code }) => code === "cors-on-success-only"))
      findings.push(finding("cors-on-success-only", keyAt(key), {}));
  };
  const notFetched = (key: string, error: unknown): void => {
    const cause = findingOfError(error, `Reading ${key}`);
    const problem = finding("metadata-not-fetched", keyAt(key), { problem: "failed", cause });
    documents.set(key, { key, text: undefined, problem });
    findings.push(problem);
  };
  const settle = (): void => {
    const isRead = [...documents.values()].some(({ text }) => text !== undefined);
    for (const [key, error] of unreadable) {
      if (isRead) noteUnreadable(key);
      else notFetched(key, error);
    }
    unreadable.clear();
  };
  return { documents, findings, unreadable, noteUnreadable, notFetched, settle };
}

function documentReader(store: Store, context: CallContext) {
  const { documents, findings, unreadable, noteUnreadable, notFetched, settle } = keptDocuments();
  let bytes = 0;
  let firstFailure: unknown;
  /** Reads a document; true if it exists. */
  const read = async (key: string): Promise<boolean> => {
    try {
      const size = store.sizeOf(key);
      if (size !== undefined && size > LARGEST_DOCUMENT) {
        throw failure("metadata-too-large", keyAt(key), { size, limit: LARGEST_DOCUMENT, unit: "bytes" });
      }
      const answer = await store.get(key, { ...context, most: LARGEST_DOCUMENT });
      if (answer.kind === "absent" && answer.unreadable === true) noteUnreadable(key);
      if (answer.kind === "denied") findings.push(finding("key-denied", keyAt(key), refusal(answer)));
      if (answer.kind !== "present") return false;
      bytes += answer.bytes.length;
      documents.set(key, { key, text: documentTextOf(answer.bytes) });
      return true;
    } catch (error) {
      if (isAbort(error) && context.signal.aborted) throw error;
      firstFailure ??= error;
      // If others can be read, it probably does not exist.
      if (isUnreadable(error)) {
        unreadable.set(key, error);
        return false;
      }
      if (isWebPage(error)) {
        findings.push(error.finding);
        return false;
      }
      notFetched(key, error);
      return true;
    }
  };
  return {
    read,
    async readAll(keys: readonly string[]): Promise<void> {
      let done = 0;
      await eachAtOnce(keys, AT_ONCE, async (key) => {
        await read(key);
        done += 1;
        context.report({ label: "Reading metadata", done, total: keys.length, unit: "requests" });
      });
    },
    textOf: (key: string): string | undefined => documents.get(key)?.text,
    note: (found: Finding): void => void findings.push(found),
    result(unlisted: boolean): StoreDocuments {
      settle();
      return { documents, findings, bytes, unlisted, failure: firstFailure };
    },
  };
}
