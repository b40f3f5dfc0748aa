/** Opens a document or a folder by the driver that knows it. */
import type { CallContext } from "../../core/byte-source.ts";
import { isAbort } from "../../core/errors.ts";
import type { Store } from "../../io/store.ts";
import type { EngineSet } from "../engine-set.ts";
import { once } from "../../core/once.ts";
import type { FolderDriver, FolderPlace, OpenedDocument, Opening } from "./driver.ts";
import { DOCUMENT_DRIVERS, FOLDER_DRIVERS } from "./drivers.ts";
import { headOf, lastPart, type DocumentSource } from "./sources.ts";
import { storeDocuments } from "./zarr/store-documents.ts";

/** Whether a path is likely to be that of a folder: it ends like one, or in a name without any ending. */
export function isFolderPath(path: string): boolean {
  const name = lastPart(path);
  return path.endsWith("/") || !name.includes(".") || hasFolderName(name);
}

const hasFolderName = (name: string): boolean => FOLDER_DRIVERS.some(({ names }) => names.test(name));

/** How archives are recognised. */
const FEW_BYTES = 8;

/** The first bytes, where the name makes another format than JSON likely: others are read only once. */
export async function firstBytes(
  { document, name }: DocumentSource,
  context: CallContext,
): Promise<Uint8Array | undefined> {
  const likely = DOCUMENT_DRIVERS.filter(({ names, readsRest }) => readsRest !== true && names.test(name));
  if (likely.length === 0 && !hasFolderName(name) && !/\.zip$/i.test(name)) return undefined;
  return headOf(document, Math.max(FEW_BYTES, ...likely.map(({ headBytes }) => headBytes)), context);
}

/** `head`: its `firstBytes`. */
export async function openDocument(
  source: DocumentSource,
  head: Uint8Array | undefined,
  choice: string | undefined,
  opening: Opening,
): Promise<OpenedDocument> {
  const driver = DOCUMENT_DRIVERS.find(
    (one) => one.readsRest === true || (head !== undefined && one.recognise(head, source.name) !== "no"),
  );
  if (driver === undefined) throw new TypeError("No driver takes the documents that others do not recognise.");
  return driver.open(source, choice, opening);
}

/**
 * `undefined` where no driver knows the folder. Over HTTP many servers send no CORS header with a 404: what reads as a
 * failure may be absent, and a set of another format there. But what a driver fails at when it has read an object is its
 * own, ends the search, and counts before other failures.
 */
export async function openFolder(place: FolderPlace, opening: Opening): Promise<EngineSet | undefined> {
  const { context, options } = opening;
  const documents = once(() => storeDocuments(place.store, options.paths ?? [], context));
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
  if (failures.length > 0) throw failures[0];
  return undefined;
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
