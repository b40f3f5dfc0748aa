/** A pool of threads that decode chunks. It is started when there is enough to do, and does without when it cannot be. */
import type { ArrayMetadata } from "../../core/array-metadata.ts";
import { inThread, type ChunkDecoder, type DecodedBytes } from "./chunk-decoder.ts";
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
  readonly metadata: ArrayMetadata;
  readonly stored: Uint8Array<ArrayBuffer>;
  readonly signal: AbortSignal;
  resolve(decoded: DecodedBytes | Promise<DecodedBytes>): void;
  reject(reason: unknown): void;
}

interface Member {
  readonly thread: DecodeThread;
  readonly tasks: Map<number, Task>;
  isReady: boolean;
  metadata: ArrayMetadata | undefined;
}

/** A thread has its next chunk before it is done with one. */
const TASKS_A_THREAD = 2;
/** Handing over and back costs more than decoding less. */
const LEAST_BYTES = 64 * 1024;
/** Milliseconds of decoding here after which threads pay for their start (half a second each in a terminal). */
const START_AFTER = 400;

export interface PoolSize {
  readonly threads: number;
  /** Milliseconds of decoding in this thread after which the others are started. */
  readonly startAfter?: number;
}

export function threadPool(
  openThread: () => DecodeThread,
  { threads, startAfter = START_AFTER }: PoolSize,
): ThreadPool {
  const crew = newCrew();
  let spent = 0;
  let isStarted = threads < 1;
  const decodeHere: ChunkDecoder["decode"] = async (metadata, stored, signal) => {
    const start = performance.now();
    const decoded = await inThread.decode(metadata, stored, signal);
    spent += performance.now() - start;
    if (isStarted || spent < startAfter) return decoded;
    isStarted = true;
    for (let i = 0; i < threads; i++) crew.add(openThread());
    return decoded;
  };
  return {
    atOnce: Math.max(1, threads * TASKS_A_THREAD),
    decode(metadata, stored, signal) {
      // Objects are more than bytes.
      const isFit = metadata.dataType.kind !== "object" && decodedBytes(metadata) >= LEAST_BYTES;
      if (!isFit || !crew.isReady()) return decodeHere(metadata, stored, signal);
      return new Promise((resolve, reject) => {
        crew.take({ metadata, stored, signal, resolve, reject });
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
  take(task: Task): void;
  dismiss(): void;
}

/** With no worker left, tasks are done in this thread. */
function newCrew(): Crew {
  const members = new Set<Member>();
  const queue: Task[] = [];
  let lastId = 0;
  const pump = () => {
    for (let member = leastBusy(members); member !== undefined && queue.length > 0; member = leastBusy(members)) {
      const task = queue.shift();
      if (task !== undefined) hand(member, task, (lastId += 1));
    }
    if (members.size === 0) for (const task of queue.splice(0)) doHere(task);
  };
  const remove = (member: Member) => {
    members.delete(member);
    queue.unshift(...member.tasks.values());
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
    isReady: () => [...members].some(({ isReady }) => isReady),
    take(task) {
      queue.push(task);
      pump();
    },
    dismiss() {
      for (const member of members) {
        member.thread.end();
        remove(member);
      }
      pump();
    },
  };
}

function decodedBytes({ chunks, dataType }: ArrayMetadata): number {
  return chunks.reduce((product, length) => product * length, dataType.itemSize);
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
  // A copy: what was stored may lie among the bytes of other chunks.
  const stored = task.stored.slice();
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

function doHere(task: Task): void {
  task.resolve(inThread.decode(task.metadata, task.stored, task.signal));
}
