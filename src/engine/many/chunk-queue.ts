/**
 * Chunks wanted one by one, by many who do not know each other (tiles of a picture, points of a series): those wanted at
 * about the same time share requests. They are read in the order in which they are wanted; one whose signal fires
 * before its turn is dropped.
 */
import type { CallContext } from "../../core/byte-source.ts";
import type { ArrayNode } from "../../core/hierarchy.ts";
import { chunkReference, type ChunkReference } from "../chunk/chunk-reference.ts";
import type { EngineSet } from "../engine-set.ts";
import { plannedBlocks } from "./blocks.ts";
import type { ChunkDecoder } from "./chunk-decoder.ts";
import { newSlots, readOne, type ReadOutcome } from "./read-chunks.ts";

export interface WantedChunk {
  readonly set: EngineSet;
  readonly node: ArrayNode;
  readonly coordinates: readonly number[];
}

export interface ChunkQueue {
  /** Throws for an abort, and where the array has no such chunk. */
  want(chunk: WantedChunk, context: CallContext): Promise<ReadOutcome>;
}

interface Waiting extends WantedChunk {
  readonly context: CallContext;
  readonly resolve: (outcome: ReadOutcome | Promise<ReadOutcome>) => void;
  readonly reject: (reason: unknown) => void;
}

/** Wants that are put together into requests at once. */
const BATCH = 512;

/** Bytes of a first block that others wait for, until one of its chunks is there: with them it would come much later. */
const LARGE = 4 * 1024 ** 2;

export function chunkQueue(decoder: ChunkDecoder): ChunkQueue {
  const queue: Waiting[] = [];
  const slots = newSlots();
  let isRunning = false;

  async function run(): Promise<void> {
    while (queue.length > 0) {
      // Calls that come with the same message loop are put together.
      await new Promise((resolve) => setTimeout(resolve, 0));
      const batch = queue.splice(0, BATCH);
      await readGroup(batch);
    }
    isRunning = false;
  }

  async function readGroup(group: readonly Waiting[]): Promise<void> {
    const waiting = new Map<ChunkReference, Waiting>();
    for (const one of group) {
      const reference = await referenceOf(one);
      if (reference !== undefined) waiting.set(reference, one);
    }
    const blocks = plannedBlocks([...waiting.keys()]);
    for (const [at, { chunks, bytes }] of blocks.entries()) {
      await slots.free(bytes);
      const wanted = chunks.filter((chunk) => waiting.get(chunk)?.context.signal.aborted === false);
      const reading = wanted.map((chunk) => readFor(chunk, waiting.get(chunk)));
      slots.hold(
        bytes,
        Promise.all(reading).then(() => undefined),
      );
      if (at === 0 && bytes >= LARGE && reading.length > 0) await Promise.race(reading);
    }
  }

  async function readFor(chunk: ChunkReference, one: Waiting | undefined): Promise<void> {
    if (one === undefined) return;
    await readOne({ set: one.set, decoder }, chunk, one.context).then(one.resolve, one.reject);
  }

  return {
    want: (chunk, context) =>
      new Promise((resolve, reject) => {
        context.signal.throwIfAborted();
        context.signal.addEventListener("abort", () => reject(context.signal.reason), { once: true });
        queue.push({ ...chunk, context, resolve, reject });
        if (isRunning) return;
        isRunning = true;
        void run();
      }),
  };
}

/** `undefined` where it is no longer wanted, or was refused. */
async function referenceOf({ set, node, coordinates, context, reject }: Waiting): Promise<ChunkReference | undefined> {
  if (context.signal.aborted) return undefined;
  try {
    return await chunkReference(set, node, coordinates, context);
  } catch (error) {
    reject(error);
    return undefined;
  }
}
