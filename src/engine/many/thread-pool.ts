/**
 * A pool of threads that decode chunks. It is started when there is enough to do, and does without when it cannot be:
 * until a thread is ready, and when all have died, chunks are decoded in this thread, one at a time.
 */
import { chunkBytes } from "../../core/metadata/chunk-bytes.ts";
import type { ChunkMetadata } from "../../core/metadata/array-metadata.ts";
import { nextTask } from "../pace.ts";
import { inThread, type ChunkDecoder, type DecodedBytes, type GivenAway } from "./chunk-decoder.ts";
import type { FromThread, ToThread } from "./messages.ts";

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
  readonly giving: GivenAway | undefined;
  readonly resolve: (decoded: DecodedBytes) => void;
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
}

export function threadPool(
  openThread: () => DecodeThread,
  { threads, startAfter = START_AFTER }: PoolSize,
): ThreadPool {
  const queue: Task[] = [];
  const crew = newCrew(queue, () => void workHere());
  const here = { milliseconds: 0, bytes: 0, isBusy: false };
  let isStarted = threads < 1;

  function start(): void {
    isStarted = true;
    try {
      for (let i = 0; i < threads; i++) crew.add(openThread());
    } catch {
      // Where none may be started, chunks are decoded here.
    }
  }

  async function workHere(): Promise<void> {
    if (here.isBusy) return;
    here.isBusy = true;
    for (let task = queue.shift(); task !== undefined; task = crew.isReady() ? undefined : queue.shift()) {
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
      if (!isStarted && expected >= startAfter) start();
      // Threads that are ready are heard, and who waits for the chunk goes on.
      await nextTask();
    }
    here.isBusy = false;
    crew.pump();
  }

  return {
    atOnce: Math.max(1, threads * TASKS_A_THREAD),
    decode(metadata, stored, signal, giving) {
      // Objects are more than bytes.
      const isFit = metadata.dataType.kind !== "object" && chunkBytes(metadata) >= LEAST_BYTES;
      if (!isFit) return inThread.decode(metadata, stored, signal);
      return new Promise((resolve, reject) => {
        queue.push({ metadata, stored, signal, giving, resolve, reject });
        crew.pump();
      });
    },
    close() {
      isStarted = true;
      crew.dismiss();
    },
  };
}

interface Crew {
  add(thread: DecodeThread): void;
  isReady(): boolean;
  /** Hands out what waits. */
  pump(): void;
  dismiss(): void;
}

/** `alone`: called where tasks wait, and no thread is ready. */
function newCrew(queue: Task[], alone: () => void): Crew {
  const members = new Set<Member>();
  let lastId = 0;
  const isReady = () => [...members].some((member) => member.isReady);
  const pump = () => {
    for (let member = leastBusy(members); member !== undefined && queue.length > 0; member = leastBusy(members)) {
      const task = queue.shift();
      if (task !== undefined) hand(member, task, (lastId += 1));
    }
    if (queue.length > 0 && !isReady()) alone();
  };
  const remove = (member: Member) => {
    members.delete(member);
    for (const task of member.tasks.values()) {
      if (isLost(task.stored)) void doHere(task);
      else queue.unshift(task);
    }
    member.tasks.clear();
  };
  return {
    add(thread) {
      const member: Member = { thread, tasks: new Map(), isReady: false, metadata: undefined };
      members.add(member);
      const heard = (message: FromThread) => {
        hear(member, message);
        pump();
      };
      thread.listen(heard, () => {
        remove(member);
        pump();
      });
    },
    isReady,
    pump,
    dismiss() {
      for (const member of members) {
        member.thread.end();
        remove(member);
      }
      pump();
    },
  };
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
  const stored = isAlone && task.giving !== undefined ? task.stored : task.stored.slice();
  const metadata = task.metadata === member.metadata ? {} : { metadata: task.metadata };
  member.tasks.set(id, task);
  member.metadata = task.metadata;
  member.thread.post({ id, stored, ...metadata }, [stored.buffer]);
}

function hear(member: Member, message: FromThread): void {
  if (message.kind === "ready") {
    member.isReady = true;
    return;
  }
  const { id, kind: _, ...decoded } = message;
  const task = member.tasks.get(id);
  member.tasks.delete(id);
  if (task === undefined) return;
  if (task.signal.aborted) task.reject(task.signal.reason);
  else task.resolve(decoded);
}

/** Resolves when it is done or has failed. */
async function doHere({ metadata, stored, signal, giving, resolve, reject }: Task): Promise<void> {
  try {
    const bytes = isLost(stored) ? ((await giving?.again()) ?? stored) : stored;
    resolve(await inThread.decode(metadata, bytes, signal));
  } catch (error) {
    reject(error);
  }
}

/** Transferred buffers are empty where they came from. */
const isLost = ({ buffer }: Uint8Array<ArrayBuffer>): boolean => buffer.byteLength === 0;
