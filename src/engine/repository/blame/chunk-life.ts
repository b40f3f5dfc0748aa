/** All that commits did to one chunk, newest first. */
import type { BlamedCommit, ChunkEvent, ChunkLife, WrittenReference } from "#core/blame.ts";
import type { CallContext } from "#core/byte-source.ts";
import { FindingLog } from "#core/findings/finding-log.ts";
import { chunkAt, failure, finding, nodeAt, ofFinding, unlessFinding } from "#core/findings/finding.ts";
import { ordinalOf } from "#core/metadata/chunk-grid.ts";
import { toBase64 } from "#core/values/fill-bytes.ts";
import { isWithin, transactionPath, type HistoryEntry } from "#formats/icechunk/index.ts";
import { referenceAt, type ChunkColumns, type ChunkReference } from "#formats/icechunk/references.ts";
import { manifestCache } from "../manifest-cache.ts";
import type { OpenedRepository } from "../set-repository.ts";
import { eachReference } from "./array-references.ts";
import { arrayAt, type AskedArray } from "./blame-array.ts";
import { blamedCommit } from "./ledger.ts";
import {
  amendmentReader,
  type ArrayLog,
  arrayReader,
  type ArrayThen,
  isAfterFirst,
  type Leap,
  oldestWith,
  walkCommits,
} from "./walk-commits.ts";

type AskedChunk = AskedArray & { readonly chunk: readonly number[] };
/** The chunk in a snapshot; "unknown" where that cannot be read. */
type ChunkThen = Seen | undefined | "unknown";
/** `key` differs where references do. */
type Seen = { readonly reference: WrittenReference; readonly key: string };

interface Task {
  readonly opened: OpenedRepository;
  readonly chunk: readonly number[];
  readonly findings: FindingLog;
  readonly context: CallContext;
  readonly events: ChunkEvent[];
  readonly chunkIn: (one: ArrayThen) => Promise<ChunkThen>;
  readonly arrayIn: (snapshot: string | undefined) => Promise<ArrayThen>;
  readonly mayAmend: ReturnType<typeof amendmentReader>;
}

/** @throws RefscopeError `outside-grid`, and of `arrayAt` */
export async function chunkLife(opened: OpenedRepository, asked: AskedChunk, context: CallContext): Promise<ChunkLife> {
  const { id: node, grid, path } = await arrayAt(opened, asked, context);
  const { chunk, snapshot } = asked;
  if (ordinalOf(grid, chunk) === undefined)
    throw failure("outside-grid", chunkAt(path, chunk), { of: "chunk", coordinates: chunk, grid });
  const findings = new FindingLog();
  const arrayIn = arrayReader(opened, node, findings, context);
  const task: Task = {
    opened,
    chunk,
    findings,
    context,
    events: [],
    arrayIn,
    mayAmend: amendmentReader(opened, context),
    chunkIn: chunkReader(opened, chunk, findings, context),
  };
  const walked: HistoryEntry[] = [];
  let isBorn = false;
  const end = await walkCommits(
    opened,
    { start: snapshot, node, findings },
    async (leap) => {
      walked.push(leap.entry);
      isBorn = await addEvents(leap, path, task);
      return isBorn;
    },
    context,
  );
  if (!isBorn) await addOldest(walked, task);
  const since = walked.at(-1)?.id ?? snapshot;
  if (!isBorn && end !== "enough")
    findings.add(
      finding("icechunk-history-incomplete", nodeAt(path), {
        end: end === "first" ? "unrecorded" : end,
        since,
        chunks: 0,
      }),
    );
  return { array: asked.array, snapshot, chunk, events: task.events, findings: findings.list() };
}

/** True once the commit that made the array was seen. */
async function addEvents({ entry, logs }: Leap, path: string, task: Task): Promise<boolean> {
  const [own, ...pruned] = logs;
  const named = logs.filter((log) => names(log, task.chunk));
  const unlogged = logs.find(({ isThere }) => !isThere);
  const isMade = logs.at(-1)?.made === true;
  if (named.length === 0 && unlogged === undefined && !logs.some(({ updated }) => updated)) return isMade;
  const [arrayBefore, arrayNow] = [isMade ? undefined : await task.arrayIn(entry.parent), await task.arrayIn(entry.id)];
  const isEasy = named.length === 0 && unlogged === undefined && pruned.length === 0;
  // An array that grew lost no chunk that it has before and after.
  const isKept = [arrayBefore, arrayNow].every((one) => isInside(one, task.chunk));
  if (isEasy && isKept && !(await task.mayAmend(entry.id))) return isMade;
  const [before, now] = [await task.chunkIn(arrayBefore), await task.chunkIn(arrayNow)];
  const isBorn = isMade || (arrayBefore === undefined && arrayNow !== undefined && unlogged !== undefined);
  const cut = isInside(arrayNow, task.chunk) ? "deleted" : "resized";
  for (const [index, log] of named.entries()) {
    const isNewest = index === 0 && (unlogged === undefined || logs.indexOf(log) < logs.indexOf(unlogged));
    const [was, is] = [log === own ? before : "unknown", isNewest ? now : "unknown"] as const;
    task.events.push(...eventOf(blamedCommit(entry, false, log.id), was, is, cut));
  }
  if (unlogged !== undefined)
    task.findings.add(finding("icechunk-log-absent", nodeAt(path), { file: transactionPath(unlogged.id) }));
  if (named.length > 0) return isBorn;
  if (before === "unknown" || now === "unknown" || before?.key === now?.key) return isBorn;
  const isUnsure = pruned.length > 0 || (isBorn && (await isAfterFirst(task.opened, entry, task.context)));
  const commit = blamedCommit(entry, isUnsure);
  if (now === undefined) task.events.push({ commit, did: unlogged === undefined ? "resized" : cut });
  else if (unlogged !== undefined) task.events.push({ commit, did: "wrote", reference: now.reference });
  return isBorn;
}

/** The event of a commit whose log names the chunk. Deleting a chunk that is not there is named too, and is no event. */
function eventOf(
  commit: BlamedCommit,
  before: ChunkThen,
  now: ChunkThen,
  cut: "deleted" | "resized",
): readonly ChunkEvent[] {
  if (now !== undefined && now !== "unknown") return [{ commit, did: "wrote", reference: now.reference }];
  if (now === "unknown" || before === "unknown") return [{ commit, did: "touched" }];
  return before === undefined ? [] : [{ commit, did: cut }];
}

/** The oldest known commit that has the chunk, if none of its logs says that it wrote it. */
async function addOldest(walked: readonly HistoryEntry[], { arrayIn, chunkIn, events }: Task): Promise<void> {
  const entry = walked[await oldestWith(walked, arrayIn)];
  const first = events.at(-1);
  if (entry === undefined || (first?.commit.id === entry.id && first.did === "wrote")) return;
  const seen = await chunkIn(await arrayIn(entry.id));
  if (seen !== undefined && seen !== "unknown")
    events.push({ commit: blamedCommit(entry, true), did: "wrote", reference: seen.reference });
}

const names = ({ chunks }: ArrayLog, chunk: readonly number[]): boolean =>
  chunks.some(({ coordinates, starts, count }) => {
    for (let index = 0; index < count; index += 1) {
      const [start, end] = [starts[index] ?? 0, starts[index + 1] ?? 0];
      if (end - start === chunk.length && chunk.every((cell, axis) => coordinates[start + axis] === cell)) return true;
    }
    return false;
  });

const isInside = (array: ArrayThen, chunk: readonly number[]): boolean =>
  array !== undefined && array !== "unread" && ordinalOf(array.grid, chunk) !== undefined;

// The reference of one chunk in a snapshot.

function chunkReader(
  { store }: OpenedRepository,
  chunk: readonly number[],
  findings: FindingLog,
  context: CallContext,
): Task["chunkIn"] {
  const manifests = manifestCache(store);
  return async (one) => {
    if (one === "unread") return "unknown";
    const ordinal = one === undefined ? undefined : ordinalOf(one.grid, chunk);
    if (one === undefined || ordinal === undefined) return undefined;
    const inside = one.manifests.filter(({ extents }) => isWithin(extents, chunk));
    let found: Seen | undefined;
    const see = (at: number, columns: ChunkColumns, row: number): void => {
      if (at === ordinal) found ??= seenReference(columns, row);
    };
    const read = eachReference(one, inside, one.grid, see, manifests, context).then((): ChunkThen => found);
    return read.catch(
      ofFinding((error): ChunkThen => {
        findings.add(error.finding);
        return "unknown";
      }),
    );
  };
}

function seenReference(columns: ChunkColumns, row: number): Seen {
  const found = unlessFinding(() => referenceAt(columns, row));
  // A location that cannot be read.
  if (found === undefined) return { reference: { kind: "virtual" }, key: "virtual" };
  const reference = writtenReference(found);
  const bytes = found.kind === "inline" ? toBase64(found.bytes) : "";
  return { reference, key: `${Object.values(reference).join("\n")}\n${bytes}` };
}

function writtenReference(found: ChunkReference): WrittenReference {
  if (found.kind === "inline") return { kind: "inline", length: found.bytes.length };
  if (found.kind !== "virtual") return found;
  const { kind, location, offset, length, checksum } = found;
  const recorded = checksum?.kind === "etag" ? { etag: checksum.etag } : checksum && { lastModified: checksum.time };
  return { kind, location, offset, length, ...recorded };
}
