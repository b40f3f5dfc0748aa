/** Files that are dropped, picked or pasted, with their paths inside what was given. */
import { failure, WHOLE_SET } from "#core/findings/finding.ts";
import type { LocalFile } from "#core/open-set.ts";

/** More are refused: they would be a folder dropped by mistake, or a store with more files than a page can hold. */
export const MAX_FILES = 100_000;

/** Contents of a drop: files, and entries of folders. Only items taken while the event is handled can be read later. */
export type Dropped = readonly (File | FileSystemEntry)[];

export interface Listing {
  readonly signal: AbortSignal;
  readonly onCount: (files: number) => void;
}

/** Call in the drop handler itself, before anything is awaited. */
export function takeDropped(data: Pick<DataTransfer, "items" | "files">): Dropped {
  const taken = [...data.items]
    .filter((item) => item.kind === "file")
    .map(takenOf)
    .filter((one) => one !== null);
  return taken.length > 0 ? taken : [...data.files];
}

/** A file is taken itself: WebKit cannot read the entry of one that has no place on the disk. */
function takenOf(item: DataTransferItem): Dropped[number] | null {
  const entry = item.webkitGetAsEntry();
  return entry?.isDirectory === true ? entry : (item.getAsFile() ?? entry);
}

/** All files of a drop, folders walked. Symbolic links are left out by the browser. */
export async function listDropped(dropped: Dropped, listing: Listing): Promise<readonly LocalFile[]> {
  const found: LocalFile[] = [];
  const waiting = dropped.toReversed();
  for (let entry = waiting.pop(); entry !== undefined; entry = waiting.pop()) {
    listing.signal.throwIfAborted();
    if (entry instanceof File) found.push({ path: entry.name, blob: entry });
    else if (isFile(entry)) found.push(...(await filesOf([entry, ...filesNext(waiting)])));
    else if (isDirectory(entry)) waiting.push(...(await childrenOf(entry, listing)).toReversed());
    if (found.length + waiting.length > MAX_FILES) throw tooMany();
    listing.onCount(found.length);
  }
  return found;
}

/** Each is a question to the browser's own process: of ten thousand asked one after another it is seconds. */
const FILES_AT_ONCE = 100;

/** Takes the files off that come next. */
function filesNext(waiting: Dropped[number][]): readonly FileSystemFileEntry[] {
  const files: FileSystemFileEntry[] = [];
  for (let next = waiting.at(-1); next !== undefined && isFile(next); next = waiting.at(-1)) {
    if (files.length + 1 >= FILES_AT_ONCE) break;
    files.push(next);
    waiting.pop();
  }
  return files;
}

const filesOf = (entries: readonly FileSystemFileEntry[]): Promise<readonly LocalFile[]> =>
  Promise.all(entries.map(async (entry) => ({ path: entry.fullPath.replace(/^\/+/, ""), blob: await fileOf(entry) })));

/** Files from a file picker, folder pickers included. */
export function pickedFiles(files: Iterable<File>): readonly LocalFile[] {
  const found = [...files].map((blob) => ({ path: blob.webkitRelativePath || blob.name, blob }));
  if (found.length > MAX_FILES) throw tooMany();
  return found;
}

/** A directory is read in batches (100 in Chromium) until an empty one. */
async function childrenOf(directory: FileSystemDirectoryEntry, { signal }: Listing): Promise<FileSystemEntry[]> {
  const reader = directory.createReader();
  const children: FileSystemEntry[] = [];
  for (;;) {
    signal.throwIfAborted();
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (batch.length === 0) return children;
    children.push(...batch);
    if (children.length > MAX_FILES) throw tooMany();
  }
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}

const isFile = (entry: Dropped[number]): entry is FileSystemFileEntry => !(entry instanceof File) && entry.isFile;
const isDirectory = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;

const tooMany = () => failure("too-many-files", WHOLE_SET, { limit: MAX_FILES });
