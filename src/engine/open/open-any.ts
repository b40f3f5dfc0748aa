/**
 * Opens whatever the user gave: finds out what it is, by content, and asks where it is several things at once. What the
 * formats are is in `drivers.ts`; here are the places in which sets lie: addresses, files, archives, pasted text.
 *
 * Every driver looks for its own in a folder; more than one find is a choice. A URL's name only says where to look
 * first.
 */
import type { CallContext } from "#core/byte-source.ts";
import { factsOfFailure, failure, isAbort, RefscopeError, targetAt, WHOLE_SET } from "#core/findings/finding.ts";
import type { Finding } from "#core/findings/finding.ts";
import { once } from "#core/basics.ts";
import { ALL_TOGETHER, type OpenSource } from "#core/open-set.ts";
import { statusOf } from "#io/http/http-failure.ts";
import { requestLog } from "#io/http/request-log.ts";
import { droppedFiles, findByPath, indexByName, type LocalFiles } from "#io/local-files.ts";
import { filesStore, httpStore, isWebPage, type Store } from "#io/store.ts";
import type { EngineSet } from "../engine-set.ts";
import type { FolderDriver, FolderPlace, OpenedAny, OpenedDocument, Opening, OtherDocument } from "./driver.ts";
import { DOCUMENT_DRIVERS, FOLDER_DRIVERS, isFolderMember } from "./drivers.ts";
import { documentIn, headOf, lastPart, sized, splitChoice, textDocument, urlDocument } from "../chunk/sources.ts";
import type { DocumentSource } from "../chunk/sources.ts";

/** The code is loaded with the first archive, to keep the first load small. */
const archives = () => import("#io/zip.ts");

export function openAny(source: OpenSource, opening: Opening): Promise<OpenedAny> {
  if (source.kind === "url" && /\||%7c/i.test(source.url)) return openPiped(source.url, opening);
  if (source.kind === "url") return openUrl(source.url.trim(), opening);
  if (source.kind === "files") return openFiles(droppedFiles(source.files), opening);
  return openText(textDocument(source.text, source.name), opening);
}

function orThrow(opened: OpenedDocument): OpenedAny {
  if (opened.kind === "other") throw opened.error;
  return opened;
}

/** The first bytes cost nothing, and the name tells nothing. */
const TEXT_HEAD = 4096;

async function openText(source: DocumentSource, opening: Opening): Promise<OpenedAny> {
  const first = await headOf(source.document, TEXT_HEAD, opening.context);
  return orThrow(await openDocument(source, first, opening.options.choice, opening));
}

async function openUnpacked(source: DocumentSource, choice: string | undefined, opening: Opening): Promise<OpenedAny> {
  return orThrow(await openByContent(source, await firstBytes(source, opening.context), choice, opening));
}

/** Place of the opened source, for findings about it. */
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
  const { amongFiles, candidatesIn } = await import("./candidates.ts");
  const found = await candidatesIn(files, opening.context, ask);
  const [first] = found;
  if (first === undefined) throw nothingFound(files);
  if (found.length === 1 && !ask) return openChosen(files, first.id, opening, within);
  return amongFiles(found, within.prefix);
}

const ARCHIVE = "!/";

async function openChosen(files: LocalFiles, chosen: string, opening: Opening, within: Within): Promise<OpenedAny> {
  const archive = chosen.indexOf(ARCHIVE);
  if (archive >= 0) return openArchive(files, chosen.slice(0, archive), opening, within);
  if (chosen.startsWith(ALL_TOGETHER) && opening.together !== undefined) return opening.together(files, opening);
  if (isStoreChoice(chosen)) return openLocalFolder(files, storeFolder(chosen), opening, within);
  const [path, inner] = splitChoice(chosen);
  const source = { ...documentIn(files, path), ...besideOf(files, within) };
  return openUnpacked(source, inner, opening);
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

async function openLocalFolder(
  files: LocalFiles,
  folder: string,
  opening: Opening,
  within: Within,
): Promise<OpenedAny> {
  const name = folder === "" ? "store" : lastPart(folder);
  const place = {
    store: filesStore(files, folder),
    name,
    url: within.url,
    choice: `${within.prefix}${folder}/`,
    files,
    ...besideOf(files, within),
    findings: within.findings,
  };
  const set = await openFolder(place, opening);
  if (set === undefined) throw noStore(name);
  return { kind: "set", set };
}

/** A choice given beside the address wins over the one in it. */
async function openPiped(url: string, opening: Opening): Promise<OpenedAny> {
  const { zarrUrl } = await import("#core/urls/zarr-url.ts");
  const piped = zarrUrl(url);
  if (piped === undefined) return openUrl(url.trim(), opening);
  const { choice = piped.choice, ref = piped.ref, paths = [] } = opening.options;
  const options = { ...opening.options, choice: choice || undefined, ref, paths: [...paths, ...pathsTo(piped.array)] };
  const opened = await openUrl(piped.url, { ...opening, options });
  return opened.kind === "set" ? { ...opened, array: piped.array } : opened;
}

/** Each takes a few requests. */
const MAX_LEVELS = 32;

/** A store that cannot be listed is asked for an array, and for the groups that it lies in. */
export function pathsTo(array: string): readonly string[] {
  const names = array
    .split("/")
    .filter((name) => name !== "")
    .slice(0, MAX_LEVELS);
  return names.map((_, at) => names.slice(0, at + 1).join("/"));
}

async function openUrl(url: string, opening: Opening): Promise<OpenedAny> {
  const document = { ...urlDocument(url, opening.locations, opening.network), files: opening.options.files };
  const address = document.base.kind === "url" ? document.base.url : url;
  const path = new URL(address).pathname;
  if (opening.options.ask === true) return (await import("./candidates.ts")).urlChoices(AS_STORE, AS_DOCUMENT);
  if (opening.options.choice === AS_STORE) return openUrlFolder(address, url, opening);
  if (opening.options.choice === AS_DOCUMENT) return openUnpacked(document, undefined, opening);
  const listed = async () => {
    const { listedFiles } = await import("./candidates.ts");
    const files = await listedFiles(url, opening);
    return files === undefined ? undefined : openFiles(files, opening);
  };
  // A choice was made among what is listed, or lies inside a document.
  if (path.includes("*") || opening.options.choice !== undefined) {
    const chosen = await listed();
    if (chosen !== undefined) return chosen;
  }
  const name = lastPart(path);
  if (!path.endsWith("/") && isFolderMember(name)) {
    return openUrlFolder(withPath(address, path.slice(0, -name.length)), url, opening);
  }
  if (isFolderPath(path)) {
    // A server that sends a page for what it does not have may have the document.
    const folder = await tryFolder(address, url, opening).then(
      (found) => found ?? listed(),
      async (error: unknown) => (await listed()) ?? unlessWebPage(error),
    );
    return folder ?? openUrlDocument(document, url, opening).then(orThrow, (error) => throwNeither(error, address));
  }
  const opened = await openUrlDocument(document, url, opening).catch(noDocument);
  if (opened.kind !== "other") return opened;
  return (await tryFolder(address, url, opening).catch(() => undefined)) ?? orThrow(opened);
}

/** A missing document, or a web page in its place, may mean a folder. */
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

function withPath(url: string, path: string): string {
  const changed = new URL(url);
  changed.pathname = path;
  return changed.href;
}

async function openUrlDocument(document: DocumentSource, url: string, opening: Opening): Promise<OpenedDocument> {
  const { context, options } = opening;
  const first = await firstBytes(document, context);
  if (first !== undefined) {
    const { isZipHead, openZip } = await archives();
    if (isZipHead(first)) {
      const inside = await openZip(await sized(document, opening), context);
      return openFiles(inside, opening, { url, prefix: "", findings: inside.findings });
    }
  }
  return openByContent(document, first, options.choice, opening);
}

/** Bytes that no document begins with may be those of a data file, whatever its name. */
async function openByContent(
  document: DocumentSource,
  first: Uint8Array | undefined,
  choice: string | undefined,
  opening: Opening,
): Promise<OpenedDocument> {
  const opened = await openDocument(document, first, choice, opening);
  if (opened.kind !== "other" || opened.error.finding.code !== "not-json") return opened;
  const { headOfDataFile } = await import("./candidates.ts");
  const head = await headOfDataFile(document, opening.context);
  return head === undefined ? opened : openDocument(document, head, undefined, opening);
}

/** `undefined` where no metadata are found. */
async function tryFolder(address: string, url: string, unlogged: Opening): Promise<OpenedAny | undefined> {
  const http = { ...unlogged.network.http, log: requestLog() };
  const opening = { ...unlogged, network: { ...unlogged.network, http } };
  const { locations, network, options } = opening;
  const { credentials, allowPrivate, relays } = locations;
  const store = httpStore(address, { ...network.http, credentials, allowPrivate, relays });
  const place = { store, name: lastPart(store.name), url, choice: undefined, files: options.files, findings: [] };
  const set = await openFolder(place, opening);
  return set === undefined ? undefined : { kind: "set", set };
}

async function openUrlFolder(address: string, url: string, opening: Opening): Promise<OpenedAny> {
  const opened = await tryFolder(address, url, opening);
  if (opened === undefined) throw noStore(address);
  return opened;
}

// Errors where an address or a drop holds nothing that opens.

const noStore = (where: string): RefscopeError => failure("no-reference-set", targetAt(where), { among: "folder" });

const nothingFound = ({ list }: LocalFiles): RefscopeError =>
  failure("no-reference-set", WHOLE_SET, { among: "files", files: list.length });

/** An address that holds no metadata of a store, and is not a document either: the 404 alone would hide the first. */
function throwNeither(error: unknown, address: string): never {
  const facts = factsOfFailure(error, "http-status");
  if (facts === undefined) throw error;
  throw failure("http-status", targetAt(address), { ...facts, sought: "document or store" }, { cause: error });
}

// Opens a document or a folder by the driver that knows it.

/** True if a path is likely a folder's: it ends like one, or in a name without extension. */
function isFolderPath(path: string): boolean {
  const name = lastPart(path);
  return path.endsWith("/") || !name.includes(".") || hasFolderName(name);
}

const hasFolderName = (name: string): boolean => FOLDER_DRIVERS.some(({ names }) => names.test(name));

/** Bytes needed to recognise an archive. */
const FEW_BYTES = 8;

/** The first bytes, where the name makes another format than JSON likely: others are read only once. */
async function firstBytes({ document, name }: DocumentSource, context: CallContext): Promise<Uint8Array | undefined> {
  const likely = DOCUMENT_DRIVERS.filter(({ names, readsRest }) => readsRest !== true && names.test(name));
  if (likely.length === 0 && !hasFolderName(name) && !/\.zip$/i.test(name)) return undefined;
  return headOf(document, Math.max(FEW_BYTES, ...likely.map(({ headBytes }) => headBytes)), context);
}

/** `head`: its `firstBytes`. */
async function openDocument(
  source: DocumentSource,
  head: Uint8Array | undefined,
  choice: string | undefined,
  opening: Opening,
): Promise<OpenedDocument> {
  const driver = DOCUMENT_DRIVERS.find(
    (one) => one.readsRest === true || (head !== undefined && one.recognise(head, source.name) !== "no"),
  );
  if (driver === undefined) throw new TypeError("No driver takes the documents that others do not recognise.");
  const document = driver.needsSize === true ? await sized(source, opening) : source.document;
  return driver.open({ ...source, document }, choice, opening);
}

/**
 * `undefined` where no driver knows the folder. Over HTTP many servers send no CORS header with a 404: what reads as a
 * failure may be absent, and a set of another format there. But what a driver fails at when it has read an object is its
 * own, ends the search, and counts before other failures.
 */
async function openFolder(place: FolderPlace, opening: Opening): Promise<EngineSet | undefined> {
  const { context, options } = opening;
  const documents = once(async () => {
    const { storeDocuments } = await import("./zarr/store-documents.ts");
    return storeDocuments(place.store, options.paths ?? [], context);
  });
  const started = performance.now();
  const failures: unknown[] = [];
  for (const driver of inOrder(place, opening)) {
    const watched = watch(place.store);
    try {
      const set = await driver.open({ ...place, store: watched.store, started, documents }, opening);
      if (set !== undefined) return set;
    } catch (error) {
      if (isAbort(error) || place.store.keys !== undefined || watched.isThere()) throw error;
      failures.push(error);
    }
  }
  if (failures.length > 0) throw ofPlace(failures[0], place);
  return undefined;
}

/** Places a driver's failure at the user's source, if it looked for a format that nobody named. */
function ofPlace(error: unknown, { store, url = store.name }: FolderPlace): unknown {
  const found = error instanceof RefscopeError ? error.finding : undefined;
  if (found === undefined || found.code === "web-page") return error;
  const denied = factsOfFailure(error, "icechunk-denied");
  const facts = { ...denied, expected: [200], attempts: 1, sought: "store" } as const;
  if (denied !== undefined) return failure("http-status", targetAt(url), { ...facts, status: denied.status });
  return new RefscopeError({ ...found, place: targetAt(url) }, { cause: error });
}

function inOrder(place: FolderPlace, { options }: Opening): readonly FolderDriver[] {
  const isUnlikely = (driver: FolderDriver) => driver.isUnlikely?.(place, options) === true;
  return [...FOLDER_DRIVERS.filter((driver) => !isUnlikely(driver)), ...FOLDER_DRIVERS.filter(isUnlikely)];
}

/** `isThere`: an object of the store was read. */
function watch(store: Store): { readonly store: Store; readonly isThere: () => boolean } {
  let found = false;
  const get: Store["get"] = async (key, context) => {
    const read = await store.get(key, context);
    found ||= read.kind === "present";
    return read;
  };
  return { store: { ...store, get }, isThere: () => found };
}

/** Choices of folders end with a slash; the top folder's is "/". */
const isStoreChoice = (choice: string): boolean => choice.endsWith("/");
const storeFolder = (choice: string): string => choice.replace(/\/+$/, "");

// Files given later join those given before; the same path given again replaces.

export function withFiles(before: LocalFiles | undefined, added: LocalFiles): LocalFiles {
  if (before === undefined) return added;
  const list = [...new Set([...before.list, ...added.list])];
  const index = indexByName(list);
  return {
    list,
    find: (target) => findByPath(index, target),
    source: (path) => added.source(path) ?? before.source(path),
  };
}
