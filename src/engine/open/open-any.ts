/**
 * Opens whatever the user gave: finds out what it is, by content, and asks where it is several things at once.
 *
 * | what there is                                               | what it is taken for                         |
 * | ----------------------------------------------------------- | -------------------------------------------- |
 * | folder with `.zmetadata` that has `record_size`, or `refs.N.parq` | Kerchunk Parquet                       |
 * | folder with `repo` (format 2), or `refs/` and `snapshots/`  | Icechunk repository                          |
 * | folder with `zarr.json`, `.zgroup`, `.zarray` or `.zmetadata` | Zarr store; chunk manifests as its arrays say |
 * | bytes that begin as a ZIP archive                           | what is inside, by this table                |
 * | bytes that begin as a Parquet file                          | one record of Kerchunk Parquet               |
 * | JSON with `refs`, or keys like `.zgroup` (plain, .gz, .zst) | Kerchunk JSON                                |
 *
 * Of a folder every row is looked for; more than one find is a choice. Of a URL the name only says where to look first.
 */
import type { ByteSource, CallContext } from "../../core/byte-source.ts";
import { isAbort, RefscopeError } from "../../core/errors.ts";
import type { Finding } from "../../core/finding.ts";
import { factsOfFailure, failure } from "../../core/findings/failure.ts";
import { targetAt } from "../../core/findings/place.ts";
import type { Locations } from "../../core/location.ts";
import type { OpenSource, SetChoice } from "../../core/open-set.ts";
import { droppedFiles, type LocalFiles } from "../../io/local-files.ts";
import { coalesced } from "../../io/coalesce.ts";
import { head } from "../../io/http-head.ts";
import { statusOf } from "../../io/http-failure.ts";
import { httpSource } from "../../io/http.ts";
import { filesStore, httpStore, isWebPage } from "../../io/store.ts";
import { withFiles } from "./added-files.ts";
import { candidatesIn, isStoreChoice, repositoryFolders, storeFolder } from "./candidates.ts";
import type { EngineSet } from "../engine-set.ts";
import type { OpenOptions, OtherDocument } from "./kerchunk-json/open-document.ts";
import type { StorePlace } from "./zarr/open-store.ts";
import { noStore, nothingFound, throwNeither } from "./open-failures.ts";
import { documentIn, lastPart, splitChoice, textDocument, urlDocument, type DocumentSource } from "./sources.ts";
import type { Network } from "./target-reader.ts";

export type OpenedAny =
  | { readonly kind: "set"; readonly set: EngineSet }
  | { readonly kind: "choose"; readonly title: string; readonly choices: readonly SetChoice[] };

export interface AnyOptions extends OpenOptions {
  readonly choice?: string | undefined;
  /** Groups and arrays to ask for, where a store cannot be listed. */
  readonly paths?: readonly string[];
  /** Branch, tag or snapshot of a repository. */
  readonly ref?: string | undefined;
  /** Whatever is recognised, all that it may be is a choice. */
  readonly ask?: boolean;
  /** Where targets of a set opened by URL are looked for. */
  readonly files?: LocalFiles;
}

/** The code of each is fetched when something of it is first opened: the first load stays small. */
const documents = () => import("./kerchunk-json/open-document.ts");
const stores = () => import("./zarr/open-store.ts");
const repositories = () => import("./icechunk/open-icechunk.ts");
const records = () => import("./kerchunk-parquet/open-record.ts");
const archives = () => import("../../io/zip.ts");

/** What all steps need. */
export interface Opening {
  readonly locations: Locations;
  readonly network: Network;
  readonly options: AnyOptions;
  readonly context: CallContext;
}

export function openAny(
  source: OpenSource,
  locations: Locations,
  options: AnyOptions,
  network: Network,
  context: CallContext,
): Promise<OpenedAny> {
  const opening = { locations, network, options, context };
  switch (source.kind) {
    case "url":
      return openUrl(source.url.trim(), opening);
    case "text":
      return openDocument(textDocument(source.text, source.name), options.choice, opening);
    case "files":
      return openFiles(droppedFiles(source.files), opening);
  }
}

/** Where a document is no reference set there may be a folder. */
type OpenedDocument = OpenedAny | OtherDocument;

function orThrow(opened: OpenedDocument): OpenedAny {
  if (opened.kind === "other") throw opened.error;
  return opened;
}

const openDocument = async (source: DocumentSource, choice: string | undefined, opening: Opening) =>
  orThrow(await readDocument(source, choice, opening));

async function readDocument(
  source: DocumentSource,
  choice: string | undefined,
  opening: Opening,
): Promise<OpenedDocument> {
  const { locations, network, options, context } = opening;
  const { readSet } = await documents();
  const opened = await readSet(source, choice, locations, network, context, options);
  if (opened.kind !== "set" || !hasShards(opened.set)) return opened;
  const { expandShards } = await import("./expand-shards.ts");
  return { kind: "set", set: await expandShards(opened.set, context) };
}

const hasShards = ({ hierarchy }: EngineSet): boolean =>
  [...hierarchy.nodes.values()].some((node) => node.kind === "array" && node.metadata.sharding !== undefined);

/** Where what is opened lies, for what is said of it. */
interface Within {
  readonly url: string | undefined;
  /** Begins every choice: which archive. */
  readonly prefix: string;
  readonly findings: readonly Finding[];
  /** Files given beside those looked through: for targets. */
  readonly beside?: LocalFiles | undefined;
}

const HERE: Within = { url: undefined, prefix: "", findings: [] };

/** Files dropped, in a directory, or in an archive. */
export async function openFiles(files: LocalFiles, opening: Opening, within: Within = HERE): Promise<OpenedAny> {
  const { choice } = opening.options;
  const asked = choice?.startsWith(within.prefix) === true ? choice.slice(within.prefix.length) : undefined;
  if (asked !== undefined && asked !== "") return openChosen(files, asked, opening, within);
  const { ask = false } = opening.options;
  const found = await candidatesIn(files, opening.context, ask);
  const [first] = found;
  if (first === undefined) throw nothingFound(files);
  if (found.length === 1 && !ask) return openChosen(files, first.id, opening, within);
  const choices = found.map((one) => ({ ...one, id: within.prefix + one.id }));
  return { kind: "choose", title: `${found.length} of these can be opened`, choices };
}

const ARCHIVE = "!/";

async function openChosen(files: LocalFiles, chosen: string, opening: Opening, within: Within): Promise<OpenedAny> {
  const archive = chosen.indexOf(ARCHIVE);
  if (archive >= 0) return openArchive(files, chosen.slice(0, archive), opening, within);
  if (isStoreChoice(chosen)) return openFolder(files, storeFolder(chosen), opening, within);
  const [path, inner] = splitChoice(chosen);
  const source = { ...documentIn(files, path), ...besideOf(files, within) };
  if (await isRecord(source, opening.context)) return openAlone(source, opening);
  return openDocument(source, inner, opening);
}

/** One record of Kerchunk Parquet. */
async function openAlone(source: DocumentSource, opening: Opening): Promise<OpenedAny> {
  const { openRecord } = await records();
  return { kind: "set", set: await openRecord(source, opening) };
}

const besideOf = (files: LocalFiles, { beside }: Within) =>
  beside === undefined ? {} : { files: withFiles(beside, files) };

async function openArchive(files: LocalFiles, path: string, opening: Opening, within: Within): Promise<OpenedAny> {
  const source = files.source(path);
  if (source === undefined) throw failure("file-not-given", targetAt(path), {});
  const { openZip } = await archives();
  const inside = await openZip(source, opening.context);
  const findings = [...within.findings, ...inside.findings];
  const beside = within.beside === undefined ? files : withFiles(within.beside, files);
  return openFiles(inside, opening, { ...within, prefix: `${within.prefix}${path}${ARCHIVE}`, findings, beside });
}

async function openFolder(files: LocalFiles, folder: string, opening: Opening, within: Within): Promise<OpenedAny> {
  const { locations, network, options, context } = opening;
  const store = filesStore(files, folder);
  const name = folder === "" ? "store" : lastPart(folder);
  const place = {
    store,
    name,
    url: within.url,
    choice: `${within.prefix}${folder}/`,
    files,
    ...besideOf(files, within),
    findings: within.findings,
  };
  if (repositoryFolders(store.keys ?? []).has("")) {
    const { openIcechunk } = await repositories();
    return { kind: "set", set: await openIcechunk(place, locations, network, options, context) };
  }
  const { openStore } = await stores();
  const set = await openStore(place, locations, network, options, context);
  if (set === undefined) throw noStore(name);
  return { kind: "set", set };
}

/** Endings of folders, and names without any. */
const FOLDER_NAME = /(?:^|\/)(?:[^/]+\.(?:zarr|zarr2|zarr3|icechunk|parq|parquet|ome\.zarr)|[^/.]+|)\/?$/i;
const METADATA_NAME = /^(.*\/)(?:zarr\.json|\.zmetadata|\.zgroup|\.zarray|\.zattrs)$/s;

async function openUrl(url: string, opening: Opening): Promise<OpenedAny> {
  const document = { ...urlDocument(url, opening.locations, opening.network), files: opening.options.files };
  const address = document.base.kind === "url" ? document.base.url : url;
  const path = new URL(address).pathname;
  if (opening.options.ask === true) return urlChoices();
  if (opening.options.choice === AS_STORE) return openUrlFolder(address, url, opening);
  if (opening.options.choice === AS_DOCUMENT) return openDocument(document, undefined, opening);
  const inFolder = METADATA_NAME.exec(path);
  if (inFolder?.[1] !== undefined) return openUrlFolder(withPath(address, inFolder[1]), url, opening);
  if (FOLDER_NAME.test(path)) {
    // A server that sends a page for what it does not have may have the document.
    const folder = await tryFolder(address, url, opening).catch(unlessWebPage);
    return folder ?? openUrlDocument(document, url, opening).then(orThrow, (error) => throwNeither(error, address));
  }
  const opened = await openUrlDocument(document, url, opening).catch(noDocument);
  if (opened.kind !== "other") return opened;
  return (await tryFolder(address, url, opening).catch(() => undefined)) ?? orThrow(opened);
}

/** What is not there, or sent in its place, may be a folder. */
function noDocument(error: unknown): OtherDocument {
  const isAnswered = statusOf(error) !== undefined || isWebPage(error);
  if (!isAnswered || !(error instanceof RefscopeError)) throw error;
  return { kind: "other", error };
}

function unlessWebPage(error: unknown): undefined {
  if (!isWebPage(error)) throw error;
}

const AS_STORE = "as a store";
const AS_DOCUMENT = "as a document";

/** What an address may be, when the user says otherwise than was recognised. */
function urlChoices(): OpenedAny {
  const choices = [
    { id: AS_STORE, label: "A folder", detail: "Zarr store, Icechunk repository or Kerchunk Parquet" },
    { id: AS_DOCUMENT, label: "A document", detail: "Kerchunk JSON, plain, .gz or .zst" },
  ];
  return { kind: "choose", title: "Open this address as", choices };
}

function withPath(url: string, path: string): string {
  const changed = new URL(url);
  changed.pathname = path;
  return changed.href;
}

async function openUrlDocument(document: DocumentSource, url: string, opening: Opening): Promise<OpenedDocument> {
  const { context, options } = opening;
  const first = await headOf(document, context);
  if (first === undefined) return readDocument(document, options.choice, opening);
  const { isZipHead, openZip } = await archives();
  if (isZipHead(first)) {
    const inside = await openZip(await sized(document, opening), context);
    return openFiles(inside, opening, { url, prefix: "", findings: inside.findings });
  }
  if (isParquetHead(first)) return openAlone(document, opening);
  return readDocument(document, options.choice, opening);
}

/** An archive's size tells where its directory is; servers rarely tell it with a range. */
async function sized(
  { document, base }: DocumentSource,
  { locations, network, context }: Opening,
): Promise<ByteSource> {
  if (document.size !== undefined || base.kind !== "url") return document;
  const { credentials, allowPrivate } = locations;
  const http = { ...network.http, credentials, allowPrivate };
  const answer = await head(base.url, http, context).catch(() => undefined);
  if (answer?.kind !== "present" || answer.size === undefined) return document;
  return coalesced(httpSource(base.url, { ...http, size: answer.size }));
}

const SNIFFED = /\.(?:zip|parq|parquet|ome\.zarr|zarr)$/i;

/** First bytes, where the name makes another format than JSON likely: others are read only once. */
async function headOf(document: DocumentSource, context: CallContext): Promise<Uint8Array | undefined> {
  if (!SNIFFED.test(document.name)) return undefined;
  const { bytes } = await document.document.read({ offset: 0, length: 8 }, context);
  return bytes;
}

const isParquetHead = (head: Uint8Array): boolean =>
  head[0] === 0x50 && head[1] === 0x41 && head[2] === 0x52 && head[3] === 0x31;

async function isRecord({ document, name }: DocumentSource, context: CallContext): Promise<boolean> {
  if (!/\.(?:parq|parquet)$/i.test(name) || (document.size ?? 0) < 12) return false;
  const { bytes } = await document.read({ offset: 0, length: 4 }, context);
  return isParquetHead(bytes);
}

/** `undefined` where no metadata are found. */
async function tryFolder(address: string, url: string, opening: Opening): Promise<OpenedAny | undefined> {
  const { locations, network, options, context } = opening;
  const { credentials, allowPrivate } = locations;
  const objects = httpStore(address, { ...network.http, credentials, allowPrivate });
  const place = {
    store: objects,
    name: lastPart(objects.name),
    url,
    choice: undefined,
    files: options.files,
    findings: [],
  };
  const asStore = { open: async () => (await stores()).openStore(place, locations, network, options, context) };
  const asRepository = repositoryAttempt(place, opening);
  // Each asks for files that the other does not have.
  const isLikely = options.ref !== undefined || /\.icechunk\/?$/i.test(new URL(address).pathname);
  const set = await firstOpened(isLikely ? [asRepository, asStore] : [asStore, asRepository]);
  return set === undefined ? undefined : { kind: "set", set };
}

interface Attempt {
  /** `undefined` where there is none. */
  readonly open: () => Promise<EngineSet | undefined>;
  /** Whether an object of it was read: then what fails is its own. */
  readonly isThere?: () => boolean;
}

/**
 * Many servers send no CORS header with a 404: what reads as a failure may be absent, and something else there. What a
 * repository says of itself ends the search, and counts before other failures.
 */
async function firstOpened(attempts: readonly Attempt[]): Promise<EngineSet | undefined> {
  const failures: unknown[] = [];
  for (const attempt of attempts) {
    try {
      const set = await attempt.open();
      if (set !== undefined) return set;
    } catch (error) {
      if (isAbort(error) || attempt.isThere?.() === true) throw error;
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return undefined;
}

function repositoryAttempt(place: StorePlace, opening: Opening): Attempt {
  let found = false;
  const get: StorePlace["store"]["get"] = async (key, context) => {
    const read = await place.store.get(key, context);
    found ||= read.kind === "present";
    return read;
  };
  const watched = { ...place, store: { ...place.store, get } };
  return { open: () => tryRepository(watched, opening), isThere: () => found };
}

/** `undefined` where there is none, of no age. */
async function tryRepository(place: StorePlace, opening: Opening): Promise<EngineSet | undefined> {
  const { locations, network, options, context } = opening;
  const { openIcechunk } = await repositories();
  try {
    return await openIcechunk(place, locations, network, options, context);
  } catch (error) {
    if (factsOfFailure(error, "icechunk-no-repository") !== undefined) return undefined;
    throw error;
  }
}

async function openUrlFolder(address: string, url: string, opening: Opening): Promise<OpenedAny> {
  const opened = await tryFolder(address, url, opening);
  if (opened === undefined) throw noStore(address);
  return opened;
}
