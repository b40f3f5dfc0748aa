/**
 * A pool of threads that decode chunks. It is started when there is enough to do, and does without when it cannot be:
 * until a thread is ready, and when all have died, chunks are decoded in this thread, one at a time.
 */
import { chunkBytes, type ChunkMetadata } from "#core/metadata/array-metadata.ts";
import { nextTask } from "../pace.ts";
import { decodeValues } from "#core/values/values.ts";
import type { ReportAbout, ReportedChunk } from "../chunk/decode-chunk.ts";
import { inThread, type ChunkDecoder, type DecodedBytes, type GivenAway } from "../chunk/chunk-decoder.ts";
import type { FromReport, FromThread, ToThread } from "./serve-decoding.ts";

/** A thread as its host has it; it runs `serveDecoding`. */
export interface DecodeThread {
  post(message: ToThread, transfer: ArrayBuffer[]): void;
  /** To be called before anything else. `ended`: the thread could not start, or died. */
  listen(heard: (message: FromThread) => void, ended: () => void): void;
  end(): void;
}

export interface ThreadPool extends ChunkDecoder {
  /** Ends the threads; chunks that are under way, or come later, are decoded in this thread. */
  close(): void;
}

interface Task {
  readonly metadata: ChunkMetadata;
  readonly stored: Uint8Array<ArrayBuffer>;
  readonly signal: AbortSignal;
  readonly giving?: GivenAway | undefined;
  /** Facts for a report, if all stages are wanted. */
  readonly about?: ReportAbout;
  /** Too large for this thread: a cancelled one takes its thread with it. */
  readonly isApart: boolean;
  readonly resolve: (decoded: DecodedBytes | ReportedChunk) => void;
  readonly reject: (reason: unknown) => void;
}

interface Member {
  readonly thread: DecodeThread;
  readonly tasks: Map<number, Task>;
  isReady: boolean;
  metadata: ChunkMetadata | undefined;
}

/** A thread has its next chunk before it is done with one. */
const TASKS_A_THREAD = 2;
/** Handing over and back costs more than decoding less. */
const LEAST_BYTES = 64 * 1024;
/** Milliseconds of decoding here that pay for the start of threads (half a second each in a terminal). */
const START_AFTER = 400;

export interface PoolSize {
  readonly threads: number;
  /** Milliseconds of decoding in this thread, done or to be expected of what waits, with which the others are started. */
  readonly startAfter?: number;
  /** Chunks of at least this many bytes are decoded here only if no thread is available; absent = no such limit. */
  readonly apart?: number;
}

export function threadPool(
  openThread: () => DecodeThread,
  { threads, startAfter = START_AFTER, apart = Infinity }: PoolSize,
): ThreadPool {
  const queue: Task[] = [];
  const crew = newCrew(queue, openThread, threads, () => void workHere());
  const here = { milliseconds: 0, bytes: 0, isBusy: false };

  /** Large ones wait for a thread as long as there may be one. */
  function next(): Task | undefined {
    const at = queue.findIndex(({ isApart }) => !isApart || crew.size() === 0);
    return at < 0 ? undefined : queue.splice(at, 1)[0];
  }

  async function workHere(): Promise<void> {
    if (here.isBusy) return;
    here.isBusy = true;
    for (let task = next(); task !== undefined; task = crew.isReady() ? undefined : next()) {
      if (task.signal.aborted) {
        task.reject(task.signal.reason);
        continue;
      }
      const began = performance.now();
      await doHere(task);
      here.milliseconds += performance.now() - began;
      here.bytes += chunkBytes(task.metadata);
      const waiting = queue.reduce((sum, { metadata }) => sum + chunkBytes(metadata), 0);
      const expected = here.milliseconds * (1 + waiting / here.bytes);
      if (expected >= startAfter) crew.start(threads);
      // Threads that are ready are heard, and who waits for the chunk goes on.
      await nextTask();
    }
    here.isBusy = false;
    if (crew.isReady()) crew.pump();
  }

  const ask = (task: Omit<Task, "isApart" | "resolve" | "reject">) =>
    new Promise<DecodedBytes | ReportedChunk>((resolve, reject) => {
      const isApart = chunkBytes(task.metadata) >= apart;
      queue.push({ ...task, isApart, resolve, reject });
      // One more, so that others need not wait for the large ones.
      if (isApart) crew.start(Math.min(threads, crew.large() + queue.filter((one) => one.isApart).length + 1));
      crew.pump();
    });
  return {
    atOnce: Math.max(1, threads * TASKS_A_THREAD),
    decode(metadata, stored, signal, giving) {
      // Objects are more than bytes.
      const isFit = metadata.dataType.kind !== "object" && chunkBytes(metadata) >= LEAST_BYTES;
      if (!isFit) return inThread.decode(metadata, stored, signal);
      return ask({ metadata, stored, signal, giving });
    },
    async decodeAndReport(metadata, stored, about, signal) {
      const isFit = metadata.dataType.kind !== "object" && chunkBytes(metadata) >= apart;
      if (!isFit) return inThread.decodeAndReport(metadata, stored, about, signal);
      return (await ask({ metadata, stored, about, signal })) as ReportedChunk;
    },
    close: () => crew.dismiss(),
  };
}

/** `alone`: called where tasks wait, and no thread is ready. */
function newCrew(queue: Task[], openThread: () => DecodeThread, threads: number, alone: () => void) {
  const members = new Set<Member>();
  let [lastId, started] = [0, 0];
  const isReady = () => [...members].some((member) => member.isReady);
  /** Hands out what waits. */
  const pump = () => {
    for (let member = leastBusy(members); member !== undefined && queue.length > 0; member = leastBusy(members)) {
      const task = queue.shift();
      if (task === undefined) continue;
      const id = (lastId += 1);
      hand(member, task, id);
      if (task.isApart) task.signal.addEventListener("abort", () => cancel(member, id), { once: true });
    }
    if (queue.length > 0 && !isReady()) alone();
  };
  const remove = (member: Member) => {
    members.delete(member);
    for (const task of member.tasks.values()) {
      if (task.signal.aborted) task.reject(task.signal.reason);
      else if (isLost(task.stored)) void doHere(task);
      else queue.unshift(task);
    }
    member.tasks.clear();
  };
  const cancel = (member: Member, id: number) => {
    if (!member.tasks.has(id)) return;
    member.thread.end();
    remove(member);
    started -= 1;
    start(started + 1);
    pump();
  };
  /** Starts threads up to this number. */
  const start = (count: number) => {
    try {
      for (; started < count; started += 1) members.add(memberOf(openThread(), pump, remove));
    } catch {
      // If no thread may be started, chunks are decoded here.
      started = threads;
    }
  };
  return {
    start,
    /** Threads that are ready, or begin. */
    size: () => members.size,
    /** Large chunks that threads have. */
    large: () => [...members].flatMap(({ tasks }) => [...tasks.values()]).filter(({ isApart }) => isApart).length,
    isReady,
    pump,
    dismiss() {
      started = threads;
      for (const member of members) {
        member.thread.end();
        remove(member);
      }
      pump();
    },
  };
}

/** `changed`: called when something was heard of it; `ended` before that, when it is no more. */
function memberOf(thread: DecodeThread, changed: () => void, ended: (member: Member) => void): Member {
  const member: Member = { thread, tasks: new Map(), isReady: false, metadata: undefined };
  const heard = (message: FromThread) => {
    hear(member, message);
    changed();
  };
  thread.listen(heard, () => {
    ended(member);
    changed();
  });
  return member;
}

function leastBusy(members: ReadonlySet<Member>): Member | undefined {
  const free = [...members].filter(({ isReady, tasks }) => isReady && tasks.size < TASKS_A_THREAD);
  return free.reduce<Member | undefined>(
    (least, member) => (least === undefined || member.tasks.size < least.tasks.size ? member : least),
    undefined,
  );
}

function hand(member: Member, task: Task, id: number): void {
  if (task.signal.aborted) {
    task.reject(task.signal.reason);
    return;
  }
  // Buffers are transferred whole: what lies among other bytes, or is looked at again, is copied.
  const isAlone = task.stored.length === task.stored.buffer.byteLength;
  const isGiven = isAlone && task.giving !== undefined && !task.isApart;
  const stored = isGiven ? task.stored : task.stored.slice();
  const metadata = task.metadata === member.metadata ? {} : { metadata: task.metadata };
  member.tasks.set(id, task);
  member.metadata = task.metadata;
  const about = task.about === undefined ? {} : { about: task.about };
  member.thread.post({ id, stored, ...metadata, ...about }, [stored.buffer]);
}

function hear(member: Member, message: FromThread): void {
  if (message.kind === "ready") {
    member.isReady = true;
    return;
  }
  const { id } = message;
  const task = member.tasks.get(id);
  member.tasks.delete(id);
  if (task === undefined) return;
  if (task.signal.aborted) task.reject(task.signal.reason);
  else if (message.kind === "reported") task.resolve(withValues(message.reported, task));
  else {
    const { id: _, kind: __, ...decoded } = message;
    task.resolve(decoded);
  }
}

/** The stored bytes remain the ones held here. */
function withValues(reported: FromReport, { metadata, stored }: Task): ReportedChunk {
  const stageBytes = [stored, ...reported.stageBytes.slice(1)];
  if (reported.report === undefined || reported.bytes === undefined) return { ...reported, stageBytes };
  return { ...reported, stageBytes, values: decodeValues(reported.bytes, metadata) };
}

/** Resolves when it is done or has failed. */
async function doHere({ metadata, stored, signal, giving, about, resolve, reject }: Task): Promise<void> {
  try {
    const bytes = isLost(stored) ? ((await giving?.again()) ?? stored) : stored;
    const decoding = about && inThread.decodeAndReport(metadata, bytes, about, signal);
    resolve(await (decoding ?? inThread.decode(metadata, bytes, signal)));
  } catch (error) {
    reject(error);
  }
}

/** Transferred buffers are empty where they came from. */
const isLost = ({ buffer }: Uint8Array<ArrayBuffer>): boolean => buffer.byteLength === 0;
