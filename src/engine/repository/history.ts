/** The history of a repository: branches, tags, places of virtual chunks, operations, and chains of snapshots. */
import type { CallContext } from "#core/byte-source.ts";
import { type FactsOf, failure, type RefscopeError, targetAt } from "#core/findings/finding.ts";
import { writeJson } from "#core/json/parse-json.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "#core/json/json.ts";
import type {
  Ancestry,
  ContainerSummary,
  NamedRef,
  OlderOperations,
  RepositoryHistory,
  RepositorySummary,
  SnapshotEntry,
} from "#core/repository.ts";
import { HIDDEN, withoutSecrets } from "#core/words/without-secrets.ts";
import { historyEntries, readHistory, readOlderUpdates } from "#formats/icechunk/repository.ts";
import { isObjectId, snapshotPath } from "#formats/icechunk/index.ts";
import type { EntryOf, HistoryEntry, Repository, VirtualContainer } from "#formats/icechunk/index.ts";
import { ignoredContainer } from "./container-targets.ts";
import { icechunkObjects, icechunkZstd } from "./objects.ts";
import type { OpenedRepository } from "./set-repository.ts";

export function historyOf(
  { repository }: OpenedRepository,
  summary: RepositorySummary,
  detached: readonly SnapshotEntry[],
): RepositoryHistory {
  const { info, configuration, deletedTags, refsComplete } = repository;
  return {
    ...summary,
    ...(info === undefined ? {} : { writer: info.header.writer, status: info.status }),
    branches: refsOf(repository.branches),
    tags: refsOf(repository.tags),
    deletedTags,
    refsComplete,
    containers: configuration.containers.map(containerSummary),
    detached,
    updates: info?.updates ?? [],
    ...(info?.updatesContinueIn === undefined ? {} : { updatesContinueIn: info.updatesContinueIn }),
  };
}

function refsOf(refs: ReadonlyMap<string, string>): readonly NamedRef[] {
  return [...refs].map(([name, snapshot]) => ({ name, snapshot }));
}

/** Snapshots that branches and tags point to. */
export const headsOf = ({ branches, tags }: Pick<Repository, "branches" | "tags">): readonly string[] => [
  ...branches.values(),
  ...tags.values(),
];

/** Ids of the snapshots that lead to these. */
export function reachedBy(heads: Iterable<string>, snapshots: ReadonlyMap<string, HistoryEntry>): ReadonlySet<string> {
  const reached = new Set<string>();
  for (const head of heads) {
    for (let id: string | undefined = head; id !== undefined && !reached.has(id); id = snapshots.get(id)?.parent) {
      reached.add(id);
    }
  }
  return reached;
}

/** Ids of the snapshots among the paths of a repository's files. */
export function snapshotIds(paths: Iterable<string>): readonly string[] {
  const folder = snapshotPath("");
  return [...paths]
    .filter((path) => path.startsWith(folder))
    .map((path) => path.slice(folder.length))
    .filter(isObjectId);
}

/** Keys under which writers record who made a snapshot; the first that is text counts. */
const AUTHORS = ["author", "author_name", "author_email", "committer", "user"];

export function snapshotEntry({ id, parent, time, message, metadata }: HistoryEntry): SnapshotEntry {
  return {
    id,
    parent,
    time,
    message,
    author: authorOf(metadata),
    metadata: [...metadata].map(([name, value]) => [name, writeJson(value)]),
  };
}

function authorOf(metadata: JsonObject): string | undefined {
  for (const name of AUTHORS) {
    const value = metadata.get(name);
    if (typeof value === "string" && value !== "") return value;
  }
  return undefined;
}

/**
 * @throws RefscopeError `icechunk-ref-missing` where `from` is not a snapshot of the repository, and of `readSnapshot`
 */
export async function ancestryOf(
  opened: OpenedRepository,
  from: string,
  limit: number,
  context: CallContext,
): Promise<Ancestry> {
  checkSnapshot(opened.repository, from);
  const { entries, end } = await readHistory(entriesOf(opened, context), from, limit);
  // The others of a chain may have been expired; the one asked for must be there.
  if (entries.length === 0 && end === "missing") throw noSnapshot(from, "no-object");
  return { from, entries: entries.map(snapshotEntry), end };
}

/** Snapshots of format 1 are a request each: they are kept, and each is reported. */
export function entriesOf({ store, repository, entries }: OpenedRepository, context: CallContext): EntryOf {
  const entryOf = historyEntries(icechunkObjects(store, context), repository, icechunkZstd(context.signal));
  if (repository.format === 2) return entryOf;
  let asked = 0;
  return async (id) => {
    context.signal.throwIfAborted();
    const known = entries.get(id) ?? (await entryOf(id));
    if (known !== undefined) entries.set(id, known);
    asked += 1;
    context.report({ label: "Reading the history", done: asked, unit: "requests" });
    return known;
  };
}

/** @throws RefscopeError `icechunk-ref-missing` where the text cannot be, or is not, a snapshot of the repository */
export function checkSnapshot({ info }: Repository, id: string): void {
  if (!isObjectId(id)) throw noSnapshot(id, "not-an-id");
  if (info?.snapshots.has(id) === false) throw noSnapshot(id, "not-in-history");
}

type NotThere = Exclude<FactsOf<"icechunk-ref-missing">["problem"], "unknown-ref" | "not-an-ancestor">;

function noSnapshot(id: string, problem: NotThere): RefscopeError {
  const ref = id.slice(0, 80);
  return failure("icechunk-ref-missing", targetAt(snapshotPath(ref)), { problem, ref });
}

/** @throws RefscopeError of `readOlderUpdates` */
export function olderOperations(
  { store }: OpenedRepository,
  file: string,
  context: CallContext,
): Promise<OlderOperations> {
  return readOlderUpdates(icechunkObjects(store, context), icechunkZstd(context.signal), file);
}

// A virtual chunk container for people: its options as text, without secrets, and what decides how it is read.

export function containerSummary(container: VirtualContainer): ContainerSummary {
  const { name, prefix, store, options } = container;
  const shown = withoutSecrets(prefix);
  const ignored = ignoredContainer({ ...container, prefix: shown });
  return {
    name,
    prefix: shown,
    store,
    options: optionsOf(store, options),
    ...endpointOf(options),
    sendsHeaders: sendsHeaders(options),
    ...(ignored === undefined ? {} : { ignored }),
  };
}

/** Names of options whose values grant access. */
const SECRET =
  /secret|passw|passphrase|pwd|token|credential|bearer|(?:access|account|api|shared|customer|encryption|master).?key|connection.?string|private|authori[sz]|auth$|cookie|signature|session|\bsas\b|sas_/i;
/** Headers that grant no access; of all others only the names are shown. */
const PLAIN_HEADERS = /^(?:accept(?:-[a-z]+)?|cache-control|content-type|origin|pragma|referer|user-agent)$/i;

function optionsOf(store: string, options: JsonValue): ContainerSummary["options"] {
  if (isJsonObject(options)) {
    return [...options].flatMap(([term, value]): readonly (readonly [string, string])[] =>
      value === null ? [] : [[term, optionText(term, value)]],
    );
  }
  if (options === null || options === "") return [];
  return [[store === "local_file_system" ? "path" : "value", optionText("", options)]];
}

/** Longer ones are cut. */
const MAX_CHARACTERS = 2000;

function optionText(term: string, value: JsonValue): string {
  const shown = cleared(term, value, 0);
  const text = typeof shown === "string" ? shown : writeJson(shown);
  return text.length <= MAX_CHARACTERS ? text : `${text.slice(0, MAX_CHARACTERS)}… (${text.length} characters)`;
}

/** The value with what is secret in it replaced, at any depth. */
function cleared(term: string, value: JsonValue, depth: number): JsonValue {
  if (SECRET.test(term) && value !== null && typeof value !== "boolean") return HIDDEN;
  if (typeof value === "string") return withoutSecrets(value);
  if (depth > 32) return HIDDEN;
  if (Array.isArray(value)) return value.map((item: JsonValue) => cleared("", item, depth + 1));
  if (!isJsonObject(value)) return value;
  const isHidden = (name: string) => /^headers$/i.test(term) && !PLAIN_HEADERS.test(name);
  return new Map(
    [...value].map(([name, member]) => [name, isHidden(name) ? HIDDEN : cleared(name, member, depth + 1)]),
  );
}

function sendsHeaders(options: JsonValue): boolean {
  const headers = isJsonObject(options) ? options.get("headers") : undefined;
  return isJsonObject(headers) && headers.size > 0;
}

function endpointOf(options: JsonValue): Pick<ContainerSummary, "endpoint"> {
  const endpoint = isJsonObject(options) ? options.get("endpoint_url") : undefined;
  return typeof endpoint === "string" && endpoint !== "" ? { endpoint: withoutSecrets(endpoint) } : {};
}
