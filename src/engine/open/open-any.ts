/**
 * Opens whatever the user gave: finds out what it is, by content, and asks where it is several things at once. What the
 * formats are is in `drivers.ts`; here are the places in which sets lie: addresses, files, archives, pasted text.
 *
 * In a folder every driver looks for its own; more than one find is a choice. A URL's name only says where to look
 * first.
 */
import type { ByteSource } from "../../core/byte-source.ts";
import { RefscopeError } from "../../core/errors.ts";
import type { Finding } from "../../core/findings/finding.ts";
import { failure } from "../../core/findings/failure.ts";
import { targetAt } from "../../core/findings/place.ts";
import type { OpenSource } from "../../core/open-set.ts";
import { droppedFiles, type LocalFiles } from "../../io/local-files.ts";
import { coalesced } from "../../io/coalesce.ts";
import { head } from "../../io/http-head.ts";
import { statusOf } from "../../io/http-failure.ts";
import { httpSource } from "../../io/http.ts";
import { filesStore, httpStore, isWebPage } from "../../io/store.ts";
import { withFiles } from "./added-files.ts";
import { firstBytes, isFolderPath, openDocument, openFolder } from "./ask-drivers.ts";
import { candidatesIn, isStoreChoice, storeFolder } from "./candidates.ts";
import type { OpenedAny, OpenedDocument, Opening, OtherDocument } from "./driver.ts";
import { DOCUMENT_DRIVERS, FOLDER_DRIVERS, isFolderMember } from "./drivers.ts";
import { noStore, nothingFound, throwNeither } from "./open-failures.ts";
import {
  documentIn,
  headOf,
  lastPart,
  splitChoice,
  textDocument,
  urlDocument,
  type DocumentSource,
} from "./sources.ts";

/** Its code is fetched when the first is opened: the first load stays small. */
const archives = () => import("../../io/zip.ts");

export function openAny(source: OpenSource, opening: Opening): Promise<OpenedAny> {
  switch (source.kind) {
    case "url":
      return openUrl(source.url.trim(), opening);
    case "text":
      return openText(textDocument(source.text, source.name), opening);
    case "files":
      return openFiles(droppedFiles(source.files), opening);
  }
}

function orThrow(opened: OpenedDocument): OpenedAny {
  if (opened.kind === "other") throw opened.error;
  return opened;
}

/** Its first bytes cost nothing, and its name says nothing. */
const TEXT_HEAD = 4096;

async function openText(source: DocumentSource, opening: Opening): Promise<OpenedAny> {
  const first = await headOf(source.document, TEXT_HEAD, opening.context);
  return orThrow(await openDocument(source, first, opening.options.choice, opening));
}

async function openUnpacked(source: DocumentSource, choice: string | undefined, opening: Opening): Promise<OpenedAny> {
  return orThrow(await openDocument(source, await firstBytes(source, opening.context), choice, opening));
}

/** Where what is opened lies, for findings on it. */
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

async function openUrl(url: string, opening: Opening): Promise<OpenedAny> {
  const document = { ...urlDocument(url, opening.locations, opening.network), files: opening.options.files };
  const address = document.base.kind === "url" ? document.base.url : url;
  const path = new URL(address).pathname;
  if (opening.options.ask === true) return urlChoices();
  if (opening.options.choice === AS_STORE) return openUrlFolder(address, url, opening);
  if (opening.options.choice === AS_DOCUMENT) return openUnpacked(document, undefined, opening);
  const name = lastPart(path);
  if (!path.endsWith("/") && isFolderMember(name)) {
    return openUrlFolder(withPath(address, path.slice(0, -name.length)), url, opening);
  }
  if (isFolderPath(path)) {
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

/** What else an address may be, when the user does not agree with what was recognised. */
function urlChoices(): OpenedAny {
  const names = (drivers: readonly { readonly name: string }[]) => drivers.map(({ name }) => name).join("; ");
  const choices = [
    { id: AS_STORE, label: "A folder", detail: names(FOLDER_DRIVERS) },
    { id: AS_DOCUMENT, label: "A document", detail: names(DOCUMENT_DRIVERS) },
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
  const first = await firstBytes(document, context);
  if (first !== undefined) {
    const { isZipHead, openZip } = await archives();
    if (isZipHead(first)) {
      const inside = await openZip(await sized(document, opening), context);
      return openFiles(inside, opening, { url, prefix: "", findings: inside.findings });
    }
  }
  return openDocument(document, first, options.choice, opening);
}

/** An archive's size says where its directory is; servers rarely send it with a range. */
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

/** `undefined` where no metadata are found. */
async function tryFolder(address: string, url: string, opening: Opening): Promise<OpenedAny | undefined> {
  const { locations, network, options } = opening;
  const { credentials, allowPrivate } = locations;
  const store = httpStore(address, { ...network.http, credentials, allowPrivate });
  const place = { store, name: lastPart(store.name), url, choice: undefined, files: options.files, findings: [] };
  const set = await openFolder(place, opening);
  return set === undefined ? undefined : { kind: "set", set };
}

async function openUrlFolder(address: string, url: string, opening: Opening): Promise<OpenedAny> {
  const opened = await tryFolder(address, url, opening);
  if (opened === undefined) throw noStore(address);
  return opened;
}
