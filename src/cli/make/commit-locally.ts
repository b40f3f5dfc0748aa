/**
 * Files of a repository in a folder, written as Icechunk's own library writes them: under another name (`ID#1`), then
 * renamed. `repo` is replaced last, and only where it is still the file that the new one was made from.
 *
 * The library itself does not compare when it renames: it reads `repo`, links it as its backup, and renames. Two
 * programs of Refscope exclude each other by a file; that the library is about to replace the same `repo` shows in the
 * number of links to it, and a commit of ours that it replaced is made again.
 */
import {
  closeSync,
  fstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { link, mkdir, open, rename, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { dirname, join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { attempt } from "#core/basics.ts";
import type { CallContext } from "#core/byte-source.ts";
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

/** Throws what `make` throws, errors of the file system, an `AbortError`. */
export async function replaceRepo(root: string, { make, has }: Replacement, context: CallContext): Promise<void> {
  const place = join(root, "repo");
  await locked(resolve(root, LOCK), context, async (stillHeld) => {
    for (let isDone = false; !isDone;) {
      stillHeld();
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
  const present = readFileSync(file);
  const made = await make(present);
  if (made === undefined) return true;
  const old = join(root, made.backup);
  await mkdir(dirname(old), { recursive: true });
  const next = await staged(place, made.bytes);
  let isLinked = false;
  try {
    isLinked = await keptAs(old, place, () => writeObject(root, made.backup, present));
  } catch (error) {
    rmSync(next);
    throw error;
  }
  const own = statSync(next).ino;
  // Nothing waits from here to the renaming. Another link: another writer is about to replace the same file.
  const isOvertaken = isLinked && (statSync(old).ino !== ino || fstatSync(file).nlink !== nlink + 1);
  if (isOvertaken || statSync(place).ino !== ino) {
    rmSync(next);
    rmSync(old);
    await waited(GIVEN_UP, () => statSync(place).ino !== ino);
    return false;
  }
  renameSync(next, place);
  // A link that was there at the beginning may be another writer's too. Without links nobody knows.
  const isDisputed = () => !isLinked || nlink > 1 || fstatSync(file).nlink > nlink || statSync(place).nlink > 1;
  const isGone = () => statSync(place).ino !== own;
  // A writer that read the old file before may still rename its own.
  await waited(Math.max(SETTLED, 4 * (Date.now() - begun)), isGone);
  if (!isGone() && isDisputed()) await waited(GIVEN_UP, isGone);
  return !isGone() || has(readFileSync(place));
}

/** False where the file system has no links, as exFAT and some shares: then it is a copy. */
async function keptAs(old: string, place: string, copy: () => Promise<void>): Promise<boolean> {
  try {
    await link(place, old);
    return true;
  } catch (error) {
    if (!UNLINKED.has(codeOf(error))) throw error;
    await copy();
    return false;
  }
}

const UNLINKED: ReadonlySet<unknown> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);

const STEP = 10;

/** Waits until it is so, so many milliseconds at most. */
async function waited(most: number, isSo: () => boolean): Promise<void> {
  for (let time = 0; time < most && !isSo(); time += STEP) await pause(STEP);
}

const LOCK = "repo#lock";
/** Milliseconds. Who holds a lock renews it, at each attempt: an older one is left, whoever has its number by now. */
const MOST_WAITING = 60_000;
/** Locks that this program holds. */
const HELD = new Set<string>();

async function locked<T>(lock: string, context: CallContext, act: (stillHeld: () => void) => Promise<T>): Promise<T> {
  const begun = Date.now();
  while (!isTaken(lock)) {
    context.signal.throwIfAborted();
    if (isLeft(lock)) takeAway(lock);
    else {
      if (Date.now() - begun > 1000) context.report({ label: "Waiting for another writer", done: 0, unit: "files" });
      await pause(STEP);
    }
  }
  try {
    return await act(() => attempt(() => utimesSync(lock, new Date(), new Date())));
  } finally {
    // At once, so that no other of this program finds the one without the other.
    rmSync(lock, { force: true });
    HELD.delete(lock);
  }
}

/** True if nobody had it; then it is held. */
function isTaken(lock: string): boolean {
  try {
    writeFileSync(lock, JSON.stringify({ pid: process.pid, host: hostname() }), { flag: "wx" });
    HELD.add(lock);
    return true;
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
    return false;
  }
}

/** True if its program has ended. */
function isLeft(lock: string): boolean {
  const info = statSync(lock, { throwIfNoEntry: false });
  if (info === undefined) return false;
  const { pid, host } = ownerOf(lock);
  // A lock without its words was made this moment, or its maker was stopped between.
  if (Date.now() - info.mtimeMs > (pid === undefined ? 1000 : MOST_WAITING)) return true;
  if (pid === undefined || host !== hostname()) return false;
  // A program in a container and the one that was stopped before it have the same number.
  return pid === process.pid ? !HELD.has(lock) : !isRunning(pid);
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

/** Removes a lock that is left, at once when it was found; one of several that find it succeeds. */
function takeAway(lock: string): void {
  const name = `${lock}.${process.pid}`;
  attempt(() => {
    renameSync(lock, name);
    rmSync(name);
  });
}
