/**
 * Lists what can be opened among files: folders, documents, archives, and parts of sets that lie there alone. No part
 * of the first load.
 */
import type { CallContext } from "#core/byte-source.ts";
import { ALL_TOGETHER, type Choose, type SetChoice } from "#core/open-set.ts";
import type { LocalFiles } from "#io/local-files.ts";
import type { DocumentDriver, FolderDriver, OpenedAny, Opening } from "./driver.ts";
import { dataFile, DOCUMENT_DRIVERS, FOLDER_DRIVERS } from "./drivers.ts";
import { type DocumentSource, headOf, sizeText, urlDocument } from "../chunk/sources.ts";
import { failure, isAbort, targetAt } from "#core/findings/finding.ts";
import { coalesced } from "#io/http/coalesce.ts";
import { httpSource } from "#io/http/http.ts";
import { folderLister, MOST_LISTED } from "#io/http/list-folder.ts";
import { decodedPart, encodedPart } from "#io/url-path.ts";
import { eachAtOnce } from "../kept.ts";
import { compareNatural } from "../table/natural-order.ts";

const MAX_STORES = 1000;

/** `all`: also documents that lie inside stores, and stores inside stores. */
export async function candidatesIn(
  files: LocalFiles,
  context: CallContext,
  all = false,
): Promise<readonly SetChoice[]> {
  const folders = foldersIn(files.list, all);
  const tops = [...folders.keys()];
  const isInside = (path: string): boolean => tops.some((folder) => folder === "" || path.startsWith(`${folder}/`));
  const loose = all ? files.list : files.list.filter((path) => !isInside(path));
  // A lone archive or part is what is meant, whatever a document's first bytes look like.
  const rest = loose.filter((path) => !isArchive(path) && partName(path) === undefined);
  const { documents, areData } = await documentsAmong(files, rest, folders.size > 0, context);
  const archives = loose.filter(isArchive);
  const areSources = areData === true && !all && archives.length <= MAX_ARCHIVES;
  const holding = areSources ? await archivesWithSets(files, archives, context) : [];
  const sized = (path: string, ...words: readonly string[]) => [...words, sizeText(files.source(path))].join(", ");
  const found = [
    ...[...folders].map(([folder, driver]) => ({
      id: `${folder}/`,
      label: folder === "" ? "/" : folder,
      detail: driver.detail?.(files, folder) ?? driver.name,
    })),
    // Data files beside a set are its sources.
    ...(holding.length > 0 ? [] : documents).map((path) => ({ id: `${path}\n`, label: path, detail: sized(path) })),
    ...(holding.length > 0 ? holding : archives).map((path) => ({
      id: `${path}!/`,
      label: path,
      detail: sized(path, "ZIP archive"),
    })),
  ];
  if (areData === true && documents.length > 1 && documents.length === found.length)
    return [{ id: ALL_TOGETHER, label: `All ${documents.length} as one dataset`, detail: CHECKED_FIRST }, ...found];
  if (found.length > 0) return found;
  return loose.flatMap((path) => {
    const part = partName(path);
    return part === undefined ? [] : [{ id: `${path}\n`, label: path, detail: sized(path, part) }];
  });
}

/** Which of them is to be opened. */
export function amongFiles(found: readonly SetChoice[], prefix: string): Choose {
  const count = found.filter(({ id }) => id !== ALL_TOGETHER).length;
  const choices = found.map((one) => ({ ...one, id: prefix + one.id }));
  return { kind: "choose", title: `${count} of these can be opened`, choices };
}

const CHECKED_FIRST = "checked first: chunks, types, packing, coordinates";

const isArchive = (path: string): boolean => /\.zip$/i.test(path);

const MAX_ARCHIVES = 20;

/** Archives that hold references or a store, not just data files. */
async function archivesWithSets(files: LocalFiles, archives: readonly string[], context: CallContext) {
  const found: string[] = [];
  for (const path of archives) {
    const source = files.source(path);
    const { openZip } = await import("#io/zip.ts");
    // A broken archive is reported when it is opened.
    const inside = source === undefined ? undefined : await openZip(source, context).catch(nothingUnlessAborted);
    if (inside === undefined) continue;
    const { documents, areData } = await documentsAmong(inside, inside.list.filter(hasName), false, context);
    if (foldersIn(inside.list, false).size > 0 || (documents.length > 0 && areData === false)) found.push(path);
  }
  return found;
}

function nothingUnlessAborted(error: unknown): undefined {
  if (isAbort(error)) throw error;
}

const partName = (path: string): string | undefined =>
  DOCUMENT_DRIVERS.find(({ part, names }) => part !== undefined && names.test(path))?.part;

/** Folders of any format, with its driver, that lie in no other such folder. */
function foldersIn(list: readonly string[], all: boolean): ReadonlyMap<string, FolderDriver> {
  const folders = new Map<string, FolderDriver>();
  for (const driver of FOLDER_DRIVERS) {
    for (const folder of driver.foldersIn?.(list) ?? []) if (!folders.has(folder)) folders.set(folder, driver);
  }
  const tops = [...folders].filter(([folder]) => all || !hasAncestor(folder, folders));
  return new Map(tops.slice(0, MAX_STORES));
}

function hasAncestor(folder: string, folders: ReadonlyMap<string, unknown>): boolean {
  if (folder === "") return false;
  for (let end = folder.lastIndexOf("/"); end > 0; end = folder.lastIndexOf("/", end - 1)) {
    if (folders.has(folder.slice(0, end))) return true;
  }
  return folders.has("");
}

const MAX_LOOKED_AT = 2000;
const LOOKS_AT_ONCE = 16;
/** Files that are looked at whatever their names. */
const MAX_UNNAMED = 200;

const hasName = (path: string): boolean => DOCUMENT_DRIVERS.some(({ names }) => names.test(path));

/** Files whose first bytes look like a document; only the certain ones, if there are any. `areData`: absent if unknown. */
async function documentsAmong(
  files: LocalFiles,
  among: readonly string[],
  besideStores: boolean,
  context: CallContext,
): Promise<{ readonly documents: readonly string[]; readonly areData: boolean | undefined }> {
  const isLone = files.list.length === 1;
  // Files that a server lists are not read to see what they are.
  const areFew = among.length <= MAX_UNNAMED && files.urlOf === undefined;
  const worthALook = among.filter((path) => isLone || areFew || hasName(path));
  const verdicts = new Map<string, string>();
  await eachAtOnce(worthALook.slice(0, MAX_LOOKED_AT), LOOKS_AT_ONCE, async (path) => {
    verdicts.set(path, await verdictOn(files, path, isLone, context));
    context.report({ label: "Looking at files", done: verdicts.size, total: worthALook.length, unit: "files" });
  });
  const those = (wanted: string) => worthALook.filter((path) => verdicts.get(path) === wanted);
  // Browsers list a folder in no order.
  const targets = besideStores ? [] : those("target").sort(compareNatural);
  const [sure, maybe] = [those("yes"), those("maybe")];
  if (sure.length > 0) return { documents: sure, areData: false };
  // A lone file is read whatever it looks like: the format says best what it is instead. One beside a store is not alone:
  // it is a target.
  if (maybe.length > 0) return { documents: maybe, areData: false };
  return targets.length > 0 || !isLone
    ? { documents: targets, areData: worthALook.length <= MAX_LOOKED_AT }
    : { documents: among, areData: undefined };
}

/** The first driver's that is not "no". */
async function verdictOn(
  files: LocalFiles,
  path: string,
  isLone: boolean,
  context: CallContext,
): Promise<ReturnType<DocumentDriver["recognise"]>> {
  const document = files.source(path);
  if (document === undefined) return "no";
  if (files.urlOf !== undefined) return "target";
  for (const driver of DOCUMENT_DRIVERS) {
    if (driver.readsRest === true && !isLone && !hasName(path)) continue;
    const verdict = driver.recognise(await headOf(document, driver.headBytes, context), path);
    if (verdict !== "no") return verdict;
  }
  return isLone && (await headOfDataFile({ document, name: path }, context)) !== undefined ? "target" : "no";
}

/** The first bytes of a document, where they are those of a data file. */
export async function headOfDataFile(
  { document, name }: Pick<DocumentSource, "document" | "name">,
  context: CallContext,
) {
  for (const driver of DOCUMENT_DRIVERS.filter(({ readsRest }) => readsRest !== true))
    for (const length of [driver.headBytes, driver.mostHeadBytes ?? 0]) {
      const head = length === 0 ? undefined : await headOf(document, length, context);
      if (head !== undefined && driver.recognise(head, name) === "target") return head;
    }
  return undefined;
}

/** Other ways to open a URL, if the user disagrees with what was recognised. */
export function urlChoices(asStore: string, asDocument: string): OpenedAny {
  const names = (drivers: readonly { readonly name: string }[]) => drivers.map(({ name }) => name).join("; ");
  const choices = [
    { id: asStore, label: "A folder", detail: names(FOLDER_DRIVERS) },
    { id: asDocument, label: "A document", detail: names(DOCUMENT_DRIVERS) },
  ];
  return { kind: "choose", title: "Open this address as", choices };
}

// Data files that a server lists in a folder, by their names: a look at each would be a request. No part of the
// first load.

/**
 * `url` ends with `/`, or in a pattern with `*`. `undefined` for any other, where nothing is listed, and where there is
 * no data file. Throws `too-many-files`.
 */
export async function listedFiles(url: string, opening: Omit<Opening, "options">): Promise<LocalFiles | undefined> {
  const { locations, network, context } = opening;
  const { base } = urlDocument(url, locations, network);
  const { protocol = "", host = "", pathname = "", search = "" } = base.kind === "url" ? new URL(base.url) : {};
  const origin = `${protocol}//${host}`;
  const [folder, last] = pathname.split(/(?<=\/)(?=[^/]*$)/) as [string, string?];
  const parts = decodedPart(last ?? "").split("*");
  if (parts.length === 1 && last !== undefined) return undefined;
  const { credentials, allowPrivate, relays } = locations;
  const http = { ...network.http, credentials, allowPrivate, relays };
  const listing = await folderLister(http)(origin + folder + search, parts[0] ?? "", context);
  if (listing === undefined) return undefined;
  const { files, isCut } = listing;
  if (isCut) throw failure("too-many-files", targetAt(url), { limit: MOST_LISTED });
  // A file and the description of its chunks beside it count once.
  const isTwin = (name: string) => name.endsWith(".dmrpp") && files.has(name.slice(0, -".dmrpp".length));
  const list = [...files.keys()].filter(
    (name) => dataFile.document?.names.test(name) === true && !isTwin(name) && fits(name, parts),
  );
  const urlOf = (name: string) => `${origin}${folder}${encodedPart(name) ?? ""}${search}`;
  const source = (name: string) => {
    const size = files.get(name);
    return coalesced(httpSource(urlOf(name), { ...http, ...(size === undefined ? {} : { size }) }));
  };
  return list.length === 0 ? undefined : { list, find: () => ({ kind: "none" }), source, urlOf };
}

/** `parts`: of a pattern between its `*`, each as early as it comes. Names begin with the first. */
function fits(name: string, parts: readonly string[]): boolean {
  let left = name;
  for (const part of parts.slice(0, -1)) {
    if (!left.includes(part)) return false;
    left = left.slice(left.indexOf(part) + part.length);
  }
  return left.endsWith(parts.at(-1) ?? "");
}
