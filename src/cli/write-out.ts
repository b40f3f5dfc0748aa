/**
 * All that commands write goes through here: no file is replaced that a command reads, nor one that is there unless that
 * was asked for; and whatever stops the program, a name bears the old content or the new one, whole.
 */
import { rmSync } from "node:fs";
import { mkdir, open, readdir, readlink, realpath, rename, rm, rmdir, stat, writeFile } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import { zarrUrl } from "../core/urls/zarr-url.ts";
import { type CommandOptions, outputsOf } from "./options.ts";

export type Pieces = string | Uint8Array | Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;

/** The output is what the command reads, is there already, or the system refuses it. */
export class NotWritten extends Error {}

/** The user may ask for a file that is there to be replaced. */
interface Replacing {
  readonly force?: boolean | undefined;
}

/** Before anything is read: throws where an output is there already, is read, or is named twice. */
export async function refuseOutputs(args: readonly string[], options: CommandOptions): Promise<void> {
  const { accept, expect, target, reader } = options;
  const read = [...args, accept, expect, target, reader].filter((path) => path !== undefined).map(pathOf);
  const names = new Set<string>();
  for (const output of outputsOf(options)) {
    if (isDevice(output)) continue;
    await refuseInputs(output, read);
    await refusePresent(output, options);
    const name = await behindLinks(output);
    if (names.has(name)) throw new Error(`${output} is named for two outputs: name another file for one of them.`);
    names.add(name);
  }
}

/** Throws where `output` is one of the files, by whatever name, or lies in one of the folders. */
export async function refuseInputs(output: string, read: Iterable<string>): Promise<void> {
  const own = await identityOf(output);
  if (own === undefined) return;
  const real = await realpath(output);
  for (const path of read) {
    const other = await identityOf(path);
    if (other === undefined) continue;
    if (other.id === own.id)
      throw new NotWritten(`${output} is read by this command: name another file for the output.`);
    if (!other.isFolder) continue;
    const below = relative(await realpath(path), real);
    if (!below.startsWith("..") && resolve(below) !== below)
      throw new NotWritten(`${output} lies in ${path}, which this command reads: name a place outside of it.`);
  }
}

async function refusePresent(output: string, { force = false }: Replacing): Promise<void> {
  const info = await stat(output).catch(() => undefined);
  if (info?.isDirectory() === true) {
    // Another set's files would be read as this one's, and no step exchanges two folders.
    if ((await readdir(output)).length > 0) throw new NotWritten(`${output} is not empty: name a new folder.`);
  } else if (info?.isFile() === true && !force)
    throw new NotWritten(`${output} is there already: name another file, or replace it with --force.`);
}

/** `openRefs` understands the user's words the same way. */
const pathOf = (refs: string): string => (zarrUrl(refs)?.url ?? refs).replace(/^file:(?:\/\/)?(?=\/)/, "");

/** `/dev/stdout` and its like, whatever is behind them. */
const isDevice = (path: string): boolean => /^\/(?:dev|proc)\//.test(path);

/** Names, links and hard links of one file have one. */
async function identityOf(path: string) {
  const info = await stat(path, { bigint: true }).catch(() => undefined);
  return info && { id: `${info.dev}:${info.ino}`, isFolder: info.isDirectory() };
}

const MAX_LINKS = 40;

/** Follows links to their end, be there anything or not. */
async function behindLinks(path: string): Promise<string> {
  let at = resolve(path);
  for (let link = 0; link < MAX_LINKS; link += 1) {
    const to = await readlink(at).catch(() => undefined);
    if (to === undefined) break;
    at = resolve(dirname(at), to);
  }
  return join(await realpath(dirname(at)).catch(() => dirname(at)), basename(at));
}

/** Writes a file; of one that is replaced links, mode and owner stay. Gives its size in bytes. */
export function writeOut(path: string, pieces: Pieces, replacing: Replacing = {}): Promise<number> {
  return named(path, async () => {
    const info = await stat(path).catch(() => undefined);
    if (isDevice(path) || info?.isFile() === false) {
      const handle = await open(path, "w");
      return fill(handle, pieces).finally(() => handle.close());
    }
    const place = await behindLinks(path);
    return beside(place, async (temporary) => {
      const handle = await open(temporary, "wx");
      try {
        const bytes = await fill(handle, pieces);
        if (info !== undefined) {
          await handle.chown(info.uid, info.gid).catch(() => undefined);
          await handle.chmod(info.mode & 0o7777);
        }
        await handle.sync();
        await refusePresent(path, replacing);
        await rename(temporary, place);
        return bytes;
      } finally {
        await handle.close();
      }
    });
  });
}

/** Bytes that are written at once. */
const BLOCK = 1 << 20;

async function fill(handle: FileHandle, pieces: Pieces): Promise<number> {
  let [block, waiting, bytes]: [Uint8Array[], number, number] = [[], 0, 0];
  const flush = async () => {
    await handle.writeFile(Buffer.concat(block));
    [block, waiting, bytes] = [[], 0, bytes + waiting];
  };
  for await (const piece of typeof pieces === "string" || pieces instanceof Uint8Array ? [pieces] : pieces) {
    const next = typeof piece === "string" ? Buffer.from(piece) : piece;
    block.push(next);
    waiting += next.length;
    if (waiting >= BLOCK) await flush();
  }
  await flush();
  return bytes;
}

/** Writes a folder; one that is there must be empty. Stops where a file cannot be written: then nothing is there. */
export function writeOutFolder(
  path: string,
  files: AsyncIterable<{ readonly path: string; readonly bytes: Uint8Array }>,
): Promise<void> {
  return named(path, async () => {
    const place = await behindLinks(path);
    await mkdir(dirname(place), { recursive: true });
    await beside(place, async (temporary) => {
      await mkdir(temporary);
      for await (const file of files) {
        const inside = join(temporary, file.path);
        await mkdir(dirname(inside), { recursive: true });
        await writeFile(inside, file.bytes, { flag: "wx", flush: true });
      }
      await refusePresent(path, {});
      // Windows puts no folder in the place of another.
      await rmdir(place).catch(() => undefined);
      await rename(temporary, place);
    });
  });
}

/** Unfinished files: removed when the program ends, unless it is killed. */
const temporaries = new Set<string>();
const remove = () => {
  for (const path of temporaries) rmSync(path, { recursive: true, force: true });
};
const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
const end = (signal: NodeJS.Signals) => process.exit(SIGNALS[signal as keyof typeof SIGNALS]);
let number = 0;

async function beside<T>(place: string, write: (temporary: string) => Promise<T>): Promise<T> {
  const temporary = join(dirname(place), `.refscope-${process.pid}-${Date.now().toString(36)}-${(number += 1)}.tmp`);
  if (temporaries.size === 0) {
    process.on("exit", remove);
    for (const signal of Object.keys(SIGNALS)) process.on(signal, end);
  }
  temporaries.add(temporary);
  try {
    const written = await write(temporary);
    // A name is on the disk with its folder.
    const folder = await open(dirname(place), "r").catch(() => undefined);
    await folder?.sync().catch(() => undefined);
    await folder?.close();
    return written;
  } finally {
    await rm(temporary, { recursive: true, force: true });
    temporaries.delete(temporary);
    if (temporaries.size === 0) {
      process.off("exit", remove);
      for (const signal of Object.keys(SIGNALS)) process.off(signal, end);
    }
  }
}

/** Names the user's path in refusals by the system. */
async function named<T>(path: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof Error && "syscall" in error)) throw error;
    throw Object.assign(new NotWritten(error.message), error, { path, syscall: "write" });
  }
}
