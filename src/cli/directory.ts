/** `--root DIR`: the files below a directory as local files. Symbolic links are not followed: nothing outside is read. */
import { createReadStream, statSync } from "node:fs";
import { open, readdir, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { Readable } from "node:stream";
import type { ByteRange, ByteSource, ReadBytes } from "../core/byte-source.ts";
import { RefscopeError } from "../core/errors.ts";
import { findByPath, indexByName, type LocalFiles } from "../io/local-files.ts";

const MOST_FILES = 500_000;

/** Walks `root` once. Throws `directory-unreadable` or `too-many-files`. */
export async function directoryFiles(root: string): Promise<LocalFiles> {
  const sizes = new Map<string, number>();
  await walk(root, root, sizes);
  const list = [...sizes.keys()];
  const index = indexByName(list);
  return {
    list,
    find: (target) => findByPath(index, target),
    source: (path) => {
      const size = sizes.get(path);
      return size === undefined ? undefined : fileSource(join(root, path), path, size);
    },
  };
}

/**
 * Without `--root`: only what a relative path, taken from the document's own folder, names exactly. Nothing is listed
 * and nothing is matched by name.
 */
export function siblingFiles(folder: string): LocalFiles {
  const sizeOf = (path: string) => {
    const info = statSync(join(folder, path), { throwIfNoEntry: false });
    return info?.isFile() === true ? info.size : undefined;
  };
  const isRelative = (target: string) => !/^(?:[a-z][a-z\d+.-]*:|[/\\])/i.test(target);
  return {
    list: [],
    find: (target) =>
      isRelative(target) && sizeOf(target) !== undefined
        ? { kind: "match", path: target, how: "path" }
        : { kind: "none" },
    source: (path) => {
      const size = sizeOf(path);
      return size === undefined ? undefined : fileSource(join(folder, path), path, size);
    },
  };
}

async function walk(root: string, folder: string, sizes: Map<string, number>): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((cause: unknown) => {
    throw unreadable(folder, cause);
  });
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await walk(root, path, sizes);
    else if (entry.isFile()) sizes.set(relative(root, path).split(sep).join("/"), (await stat(path)).size);
    if (sizes.size > MOST_FILES) {
      const found = `more than ${MOST_FILES} files`;
      throw new RefscopeError({ code: "too-many-files", doing: "Listing --root", where: root, found });
    }
  }
}

/** A file on disk; `name` is what messages call it. */
export async function pathSource(path: string): Promise<ByteSource> {
  const info = await stat(path).catch((cause: unknown) => {
    throw unreadable(path, cause);
  });
  if (info.isDirectory()) throw isDirectory(path);
  return fileSource(path, path, info.size);
}

function fileSource(path: string, name: string, size: number): ByteSource {
  return {
    name,
    size,
    read: (range) => readFilePart(path, name, size, range ?? { offset: 0, length: size }, range !== undefined),
    stream: ({ signal }) => {
      const body = Readable.toWeb(createReadStream(path, { signal, highWaterMark: 1 << 20 }));
      return Promise.resolve({ body: body as ReadableStream<Uint8Array<ArrayBuffer>>, size });
    },
  };
}

async function readFilePart(
  path: string,
  name: string,
  size: number,
  range: ByteRange,
  ranged: boolean,
): Promise<ReadBytes> {
  const started = performance.now();
  const { offset, length } = range;
  if (offset + length > size) throw pastEnd(name, size, range);
  const bytes = new Uint8Array(length);
  const file = await open(path, "r");
  try {
    const { bytesRead } = await file.read(bytes, 0, length, offset);
    if (bytesRead < length) throw pastEnd(name, offset + bytesRead, range);
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
    milliseconds: performance.now() - started,
  };
  return { bytes, request, findings: [] };
}

function pastEnd(name: string, size: number, { offset, length }: ByteRange): RefscopeError {
  return new RefscopeError({
    code: offset >= size ? "range-past-end" : "short-read",
    doing: `Reading bytes ${offset}–${offset + length - 1}`,
    where: name,
    expected: `${length} bytes`,
    found: `a file of ${size} bytes`,
    advice: "The reference was made for a longer file, or the file was cut short in copying.",
  });
}

function isDirectory(path: string): RefscopeError {
  return new RefscopeError({
    code: "directory-given",
    doing: "Opening a reference set",
    where: path,
    expected: "a Kerchunk JSON file",
    found: "a directory",
    advice: "Zarr stores, Kerchunk Parquet and Icechunk repositories are not built yet.",
  });
}

function unreadable(path: string, cause: unknown): RefscopeError {
  const missing = cause instanceof Error && "code" in cause && cause.code === "ENOENT";
  const found = missing ? "no such file" : cause instanceof Error ? cause.message : String(cause);
  return new RefscopeError({ code: "file-unreadable", doing: "Reading", where: path, found }, { cause });
}
