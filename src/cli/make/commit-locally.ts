/**
 * Files of a repository in a folder, written as Icechunk's own library writes them: under another name (`ID#1`), then
 * renamed. `repo` is replaced last, and only where it is still the file that the new one was made from.
 *
 * The library itself does not compare when it renames: it reads `repo`, links it as its backup, and renames. Two
 * programs of Refscope exclude each other by a file; that the library is about to replace the same `repo` shows in the
 * number of links to it, and a commit of ours that it replaced is made again.
 */
import { closeSync, fstatSync, openSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { link, mkdir, open, rename, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Replacement } from "#engine/write/icechunk/append-branch.ts";

/** Whatever stops the program, the name bears the whole file or none. */
export async function writeObject(root: string, path: string, bytes: Uint8Array): Promise<void> {
  const place = join(root, path);
  await mkdir(dirname(place), { recursive: true });
  await rename(await staged(place, bytes), place);
}

/** Name of a new file beside `place`, with these bytes on the disk. */
async function staged(place: string, bytes: Uint8Array): Promise<string> {
  for (let number = 1; ; number += 1) {
    const name = `${place}#${number}`;
    const file = await open(name, "wx").catch((error: unknown) => {
      if (codeOf(error) !== "EEXIST") throw error;
    });
    if (file === undefined) continue;
    try {
      await file.writeFile(bytes);
      await file.sync();
      return name;
    } catch (error) {
      await rm(name, { force: true });
      throw error;
    } finally {
      await file.close();
    }
  }
}

const codeOf = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : undefined);

/** How long another writer may take between its first and its last step, in milliseconds. */
const SETTLED = 250;
const GIVEN_UP = 2000;

/** Throws what `make` throws, and errors of the file system. */
export async function replaceRepo(root: string, { make, has }: Replacement): Promise<void> {
  const place = join(root, "repo");
  await locked(root, async () => {
    for (let isDone = false; !isDone;) {
      // Open all the while, so that its links can be counted.
      const file = openSync(place, "r");
      try {
        isDone = await replaced({ root, place, file, make, has });
      } finally {
        closeSync(file);
      }
    }
  });
}

interface Attempt extends Replacement {
  readonly root: string;
  readonly place: string;
  /** The present `repo`, open. */
  readonly file: number;
}

/** False where it must be tried again. */
async function replaced({ root, place, file, make, has }: Attempt): Promise<boolean> {
  const begun = Date.now();
  const { ino, nlink } = fstatSync(file);
  const made = await make(readFileSync(file));
  if (made === undefined) return true;
  const next = await staged(place, made.bytes);
  const old = join(root, made.backup);
  await mkdir(dirname(old), { recursive: true });
  await link(place, old);
  const own = statSync(next).ino;
  // Nothing waits from here to the renaming. Another link: another writer is about to replace the same file.
  if (statSync(old).ino !== ino || fstatSync(file).nlink !== nlink + 1 || statSync(place).ino !== ino) {
    rmSync(next);
    rmSync(old);
    await waited(GIVEN_UP, () => statSync(place).ino !== ino);
    return false;
  }
  renameSync(next, place);
  const isDisputed = () => fstatSync(file).nlink > nlink || statSync(place).nlink > 1;
  const isGone = () => statSync(place).ino !== own;
  // A writer that read the old file before may still rename its own.
  await waited(Math.max(SETTLED, 4 * (Date.now() - begun)), isGone);
  if (!isGone() && isDisputed()) await waited(GIVEN_UP, isGone);
  return !isGone() || has(readFileSync(place));
}

const STEP = 10;

/** Waits until it is so, so many milliseconds at most. */
async function waited(most: number, isSo: () => boolean): Promise<void> {
  for (let time = 0; time < most && !isSo(); time += STEP) await pause(STEP);
}

const LOCK = "repo#lock";
/** Another program of Refscope is waited for so long; a lock of another computer is older than that only if it is left. */
const MOST_WAITING = 60_000;

async function locked<T>(root: string, act: () => Promise<T>): Promise<T> {
  const lock = join(root, LOCK);
  const own = JSON.stringify({ pid: process.pid, host: hostname() });
  for (;;) {
    const file = await open(lock, "wx").catch((error: unknown) => {
      if (codeOf(error) !== "EEXIST") throw error;
    });
    if (file !== undefined) {
      await file.writeFile(own);
      await file.close();
      break;
    }
    if (await isLeft(lock)) await takeAway(lock);
    else await pause(STEP);
  }
  try {
    return await act();
  } finally {
    await rm(lock, { force: true });
  }
}

/** True if its program has ended. */
async function isLeft(lock: string): Promise<boolean> {
  const info = await stat(lock).catch(() => undefined);
  if (info === undefined) return false;
  const { pid, host } = ownerOf(lock);
  // A lock without its words was made this moment, or its maker was stopped between.
  if (pid === undefined || host !== hostname())
    return Date.now() - info.mtimeMs > (pid === undefined ? 1000 : MOST_WAITING);
  return !isRunning(pid);
}

function ownerOf(lock: string): { readonly pid?: number; readonly host?: string } {
  try {
    return JSON.parse(readFileSync(lock, "utf8")) as { pid: number; host: string };
  } catch {
    return {};
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}

/** Removes a lock that is left; one of several that find it succeeds. */
async function takeAway(lock: string): Promise<void> {
  const name = `${lock}.${process.pid}`;
  await rename(lock, name).then(
    () => rm(name),
    () => undefined,
  );
}
