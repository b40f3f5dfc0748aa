/**
 * The files below a directory as local files: `--root DIR`, stores that are directories, and without either the folder
 * of the document. Symbolic links are followed to files below it only: nothing outside is read, and a link that leads
 * there is said to.
 */
import { closeSync, fstatSync, lstatSync, openSync, readSync, realpathSync, statSync, type Stats } from "node:fs";
import { type FileHandle, open, readdir, realpath, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import type { ByteRange, ByteSource, ReadBytes } from "../core/byte-source.ts";
import { failure, type RefscopeError, targetAt } from "../core/findings/finding.ts";
import { nearestName } from "../core/words/near-name.ts";
import { abortError } from "../io/abort.ts";
import { pastEnd } from "../io/file.ts";
import { findByPath, indexByName, type FileLook, type LocalFiles } from "../io/local-files.ts";
import { checkRange, checkWhole } from "../io/range.ts";
import { printable } from "./print/lines.ts";
import { received } from "./print/progress.ts";

const MAX_FILES = 500_000;

/** The files below `path` where it is a directory, else `undefined`. Throws `file-unreadable` or `too-many-files`. */
export async function filesOfDirectory(path: string): Promise<LocalFiles | undefined> {
  const info = await infoOf(path);
  return info.isDirectory() ? directoryFiles(path) : undefined;
}

/** Walks `root` once; paths are in order within each folder. Throws `file-unreadable` or `too-many-files`. */
export async function directoryFiles(root: string): Promise<LocalFiles> {
  const sizes = new Map<string, number>();
  await walk({ root, real: await realpath(root).catch(() => root), sizes }, root);
  const list = [...sizes.keys()];
  const index = indexByName(list);
  const sizeOf = (path: string): number | undefined => {
    const known = sizes.get(path);
    if (known !== NOT_ASKED) return known;
    const info = statSync(join(root, path), { throwIfNoEntry: false });
    return info?.isFile() === true ? info.size : undefined;
  };
  return {
    list,
    find(target) {
      const path = isAbsolute(target) ? relative(resolve(root), target).split(sep).join("/") : "";
      return sizes.has(path) ? { kind: "match", path, how: "path" } : findByPath(index, target);
    },
    outside: (target) => outside(root, target),
    source: (path) => {
      const size = sizeOf(path);
      if (size === undefined) return undefined;
      return size === LEADS_OUT ? refusedSource(path, leadsOut(path)) : fileSource(join(root, path), path, size);
    },
    look: looker((path) => ((sizes.get(path) ?? LEADS_OUT) === LEADS_OUT ? undefined : `${root}/${path}`)),
  };
}

/** A look takes some 20 µs on a disk; where it takes so many milliseconds (a network's), many at once are quicker. */
const SLOW_LOOK = 0.5;
/** Looks of which the average is taken; and after which it is tried again where it was slow, as on a busy machine. */
const [FEW_LOOKS, TRIED_AGAIN] = [64, 256] as const;
/** Weight of such a trial in the average. */
const TRIAL = 1 / 4;

/** Without waiting: of hundreds of thousands of files, waiting for each of four steps is what takes the time. */
function looker(find: (path: string) => string | undefined) {
  let [average, passed] = [0, 0];
  let buffer = new Uint8Array(0);
  return (path: string, length: number): FileLook | undefined => {
    const isSlow = average > SLOW_LOOK;
    if (isSlow && ++passed < TRIED_AGAIN) return undefined;
    const full = find(path);
    if (full === undefined) return undefined;
    const started = performance.now();
    if (buffer.length < length) buffer = new Uint8Array(length);
    const seen = lookAt(full, buffer, length);
    average += (performance.now() - started - average) * (isSlow ? TRIAL : 1 / FEW_LOOKS);
    passed = 0;
    return seen;
  };
}

/** `undefined` where anything fails. */
function lookAt(full: string, buffer: Uint8Array, length: number): FileLook | undefined {
  let file: number | undefined;
  try {
    file = openSync(full, "r");
    const { size, mtime: modified } = fstatSync(file);
    const read = readSync(file, buffer, 0, Math.min(length, size), 0);
    return read < Math.min(length, size) ? undefined : { size, modified, head: buffer.subarray(0, read) };
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Marker in place of a size: a link to a file outside the directory. */
const LEADS_OUT = -1;
/** Nor is the size known that nobody asked for: of hundreds of thousands of files that takes as long as all else. */
const NOT_ASKED = -2;

const leadsOut = (path: string): RefscopeError => failure("link-leads-out", targetAt(path), {});

/** It is there, but it is not read. */
function refusedSource(path: string, error: RefscopeError): ByteSource {
  const refuse = () => Promise.reject(error);
  return { name: path, size: undefined, read: refuse, stream: refuse };
}

/**
 * Without `--root`: only what a path, taken from the document's own folder where it is relative, names exactly in that
 * folder or below it. Nothing is listed and nothing is matched by name. Links are followed as below a root.
 */
export function siblingFiles(folder: string): LocalFiles {
  return {
    list: [],
    find: (target) => {
      if (IS_FOREIGN.test(target)) return { kind: "none" };
      const path = isAbsolute(target) ? relative(folder, target).split(sep).join("/") : target;
      return siblingSource(folder, path) === undefined ? { kind: "none" } : { kind: "match", path, how: "path" };
    },
    outside: (target) => outside(folder, target),
    source: (path) => siblingSource(folder, path),
  };
}

/** No path of this system. */
const IS_FOREIGN = sep === "/" ? /^(?:[a-z][a-z\d+.-]*:|\\)/i : /^[a-z][a-z\d+.-]+:/i;

/** The path as references write it. It is only asked whether something is there. */
function outside(folder: string, target: string): ReturnType<NonNullable<LocalFiles["outside"]>> {
  const path = target.replace(/^(?:file|local):(?:\/\/(?:localhost(?=\/))?)?/i, "");
  if (IS_FOREIGN.test(path)) return "nothing";
  try {
    statSync(isAbsolute(path) ? path : join(folder, path));
    return "something";
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? cause.code : "";
    return code === "EACCES" || code === "EPERM" ? "unreadable" : "nothing";
  }
}

/** `undefined` where nothing is; what cannot be looked at fails when it is read. */
function siblingSource(folder: string, path: string): ByteSource | undefined {
  const full = join(folder, path);
  if (isOutside(relative(folder, full))) return undefined;
  try {
    const entry = lstatSync(full, { throwIfNoEntry: false });
    if (entry?.isFile() !== true && entry?.isSymbolicLink() !== true) return undefined;
    const real = realpathSync.native(folder);
    // Links to directories are not followed.
    if (realpathSync.native(dirname(full)) !== join(real, relative(folder, dirname(full)))) return undefined;
    if (entry.isFile()) return fileSource(full, path, entry.size);
    const info = statSync(full, { throwIfNoEntry: false });
    if (info?.isDirectory() === true) return undefined;
    const isInside = info?.isFile() === true && !isOutside(relative(real, realpathSync.native(full)));
    return isInside ? fileSource(full, path, info.size) : refusedSource(path, leadsOut(path));
  } catch (cause) {
    const isNothing = cause instanceof Error && "code" in cause && cause.code === "ENOTDIR";
    return isNothing ? undefined : refusedSource(path, unreadable(path, cause));
  }
}

/** True if a path from a folder leads out of it. */
const isOutside = (path: string): boolean => path === ".." || path.startsWith(`..${sep}`) || isAbsolute(path);

interface Walk {
  readonly root: string;
  /** Without links. */
  readonly real: string;
  readonly sizes: Map<string, number>;
}

async function walk(walked: Walk, folder: string): Promise<void> {
  const { root, sizes } = walked;
  const entries = await readdir(folder, { withFileTypes: true }).catch((cause: unknown) => {
    if (folder === root) throw unreadable(folder, cause);
    // References to files in it are reported as missing.
    console.error(`Not looked into: ${printable(folder)} (${printable(reasonOf(cause))})`);
    return [];
  });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  const inside = relative(root, folder).split(sep).join("/");
  const prefix = inside === "" ? "" : `${inside}/`;
  for (const entry of entries) {
    if (entry.isDirectory()) await walk(walked, join(folder, entry.name));
    else if (entry.isFile()) sizes.set(prefix + entry.name, NOT_ASKED);
    else if (entry.isSymbolicLink()) {
      const size = await sizeBehind(walked, join(folder, entry.name));
      if (size !== undefined) sizes.set(prefix + entry.name, size);
    }
    if (sizes.size > MAX_FILES) throw failure("too-many-files", targetAt(root), { limit: MAX_FILES });
  }
}

/** Size of a link's target; `undefined` if that is not a file. */
async function sizeBehind({ real }: Walk, path: string): Promise<number | undefined> {
  const info = await stat(path).catch(() => undefined);
  if (info?.isDirectory() === true) return undefined;
  const to = await realpath(path).catch(() => undefined);
  return info?.isFile() === true && to !== undefined && !isOutside(relative(real, to)) ? info.size : LEADS_OUT;
}

/**
 * A file on disk; `name` is what messages call it. A pipe waits for a writer at every look: `once` = there is one
 * look.
 */
export async function pathSource(path: string, once = false): Promise<ByteSource> {
  const info = await infoOf(path);
  if (info.isDirectory()) throw failure("directory-given", targetAt(path), {});
  if (!once && (info.isFIFO() || info.isSocket()))
    throw failure("file-unreadable", targetAt(path), {
      reason: "it is a pipe, which can be read only once; save it as a file first",
    });
  return fileSource(path, path, info.size);
}

/** When a document was written, or the one that describes a folder of references, in milliseconds. */
export async function writtenAt(path: string): Promise<number | undefined> {
  const info = await stat(path).catch(() => undefined);
  const document = info?.isDirectory() === true ? await stat(join(path, ".zmetadata")).catch(() => undefined) : info;
  return document?.mtimeMs;
}

/** Throws `file-unreadable`, with the name that may be meant. */
export function infoOf(path: string): Promise<Stats> {
  return stat(path).catch(async (cause: unknown) => {
    throw unreadable(path, cause, await nearPath(path));
  });
}

/** The path in the same folder that is most like a missing one. */
async function nearPath(path: string): Promise<string | undefined> {
  const near = nearestName(basename(path), await readdir(dirname(path)).catch(() => []));
  return near === undefined ? undefined : join(dirname(path), near);
}

function fileSource(path: string, name: string, size: number): ByteSource {
  return {
    name,
    size,
    read: async (range, context) => {
      if (context.signal.aborted) throw abortError();
      if (range === undefined) checkWhole(size, name, context);
      return readFilePart(path, name, size, range ?? { offset: 0, length: size }, range !== undefined);
    },
    stream: ({ signal }) => Promise.resolve({ body: streamOf(path, name, signal), size }),
  };
}

const PIECE = 1 << 20;

/** May be left early, after a file's head: Node's own web stream of a file then throws where nobody can catch it. */
function streamOf(path: string, name: string, signal: AbortSignal): ReadableStream<Uint8Array<ArrayBuffer>> {
  let file: FileHandle | undefined;
  const close = () => file?.close();
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>) => {
    try {
      if (signal.aborted) throw abortError();
      file ??= await open(path, "r").catch((cause: unknown) => {
        throw unreadable(name, cause);
      });
      const bytes = new Uint8Array(PIECE);
      const { bytesRead } = await file.read(bytes, 0, PIECE, null);
      if (bytesRead > 0) return controller.enqueue(bytes.subarray(0, bytesRead));
      await close();
      controller.close();
    } catch (error) {
      await close();
      throw error;
    }
  };
  return new ReadableStream({ pull, cancel: close }, { highWaterMark: 0 });
}

async function readFilePart(
  path: string,
  name: string,
  size: number,
  range: ByteRange,
  ranged: boolean,
): Promise<ReadBytes> {
  const started = performance.now();
  checkRange(range, name);
  const { offset, length } = range;
  if (offset + length > size) throw pastEnd(range, name, size);
  const bytes = new Uint8Array(length);
  const file = await open(path, "r").catch((cause: unknown) => {
    throw unreadable(name, cause);
  });
  let modified: Date;
  try {
    modified = (await file.stat()).mtime;
    const { bytesRead } = await file.read(bytes, 0, length, offset);
    received.bytes += bytesRead;
    if (bytesRead < length) throw pastEnd(range, name, offset + bytesRead);
  } finally {
    await file.close();
  }
  const request = {
    url: name,
    ...(ranged ? { range, rangeHonoured: true } : {}),
    attempts: 1,
    bytesExpected: length,
    bytesReceived: length,
    targetSize: size,
    lastModified: modified.toUTCString(),
    milliseconds: performance.now() - started,
  };
  return { bytes, request, findings: [] };
}

function reasonOf(cause: unknown): string {
  const isMissing = cause instanceof Error && "code" in cause && cause.code === "ENOENT";
  return isMissing ? "there is no such file" : cause instanceof Error ? cause.message : String(cause);
}

function unreadable(path: string, cause: unknown, near?: string): RefscopeError {
  return failure("file-unreadable", targetAt(path), { reason: reasonOf(cause), near }, { cause });
}
