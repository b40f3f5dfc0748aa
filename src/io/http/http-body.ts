/** The body of an answer, read piece by piece so that reading can stop as soon as what was asked for is there. */
import type { IdleSignal } from "../abort.ts";

export interface BodyWish {
  /** Bytes to pass over, then bytes to keep. */
  readonly skip: number;
  readonly take: number;
  /** Reading stops, and the connection is dropped, once this many bytes have come. */
  readonly stopAt: number;
  progress?(received: number): void;
  /** Takes the bytes that are to be kept piece by piece, and all of them: then there are none at the end. */
  readonly hand?: (piece: Uint8Array<ArrayBuffer>) => void;
}

export interface BodyRead {
  /** The kept bytes that nobody took. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Bytes kept or taken: as many as were wished for, or fewer where the body ended. */
  readonly kept: number;
  /** Bytes that came, those passed over included. */
  readonly received: number;
  /** Cause of the early end, if any. */
  readonly failure?: unknown;
}

export async function readBody(response: Response, idle: IdleSignal, wish: BodyWish): Promise<BodyRead> {
  const reader = response.body?.getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const { hand = (piece) => void parts.push(piece) } = wish;
  let [received, kept] = [0, 0];
  try {
    while (received < wish.stopAt) {
      const read = await nextOf(reader);
      if ("failure" in read) return { bytes: new Uint8Array(0), kept, received, failure: read.failure };
      if (read.done) break;
      idle.touch(read.value.byteLength);
      const from = Math.max(0, wish.skip - received);
      const to = Math.min(read.value.byteLength, wish.skip + wish.take - received);
      received += read.value.byteLength;
      if (to > from) {
        const lack = handed(hand, read.value.subarray(from, to));
        if (lack !== undefined) return { bytes: new Uint8Array(0), kept, received, ...lack };
        kept += to - from;
      }
      wish.progress?.(received);
    }
  } finally {
    leave(reader);
  }
  return { ...joined(parts), kept, received };
}

type Hand = NonNullable<BodyWish["hand"]>;

/** A failure where there is no room for what the piece belongs to. */
function handed(hand: Hand, piece: Uint8Array<ArrayBuffer>): { readonly failure: unknown } | undefined {
  try {
    hand(piece);
    return undefined;
  } catch (failure) {
    if (failure instanceof RangeError) return { failure };
    throw failure;
  }
}

/** The connection's failure is the only thing that the reader throws. */
async function nextOf(reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>> | undefined) {
  try {
    return (await reader?.read()) ?? { done: true, value: undefined };
  } catch (failure) {
    return { failure };
  }
}

/** Ends the transfer where it is, without waiting for that. */
export function leave(reader: ReadableStreamDefaultReader<unknown> | undefined): void {
  reader?.cancel().catch(() => undefined);
}

/**
 * One buffer of exactly these bytes, its own even where there is only one part; a failure where there is no room for
 * it.
 */
function joined(parts: readonly Uint8Array<ArrayBuffer>[]): Pick<BodyRead, "bytes" | "failure"> {
  const [only] = parts;
  if (parts.length === 1 && only !== undefined && only.byteLength === only.buffer.byteLength) {
    return { bytes: only };
  }
  const room = roomFor(parts.reduce((sum, part) => sum + part.byteLength, 0));
  if (!(room instanceof Uint8Array)) return { bytes: new Uint8Array(0), ...room };
  let at = 0;
  for (const part of parts) {
    room.set(part, at);
    at += part.byteLength;
  }
  return { bytes: room };
}

function roomFor(length: number): Uint8Array<ArrayBuffer> | { readonly failure: unknown } {
  try {
    return new Uint8Array(length);
  } catch (failure) {
    return { failure };
  }
}
