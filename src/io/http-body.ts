/** The body of an answer, read piece by piece so that reading can stop as soon as what was asked for is there. */
import type { IdleSignal } from "./abort.ts";

export interface BodyWish {
  /** Bytes to pass over, then bytes to keep. */
  readonly skip: number;
  readonly take: number;
  /** Reading stops, and the connection is dropped, once this many bytes have come. */
  readonly stopAt: number;
  progress?(received: number): void;
}

export interface BodyRead {
  /** The kept bytes: `take` of them, or fewer where the body ended. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Bytes that came, those passed over included. */
  readonly received: number;
  /** What broke it off, if something did. */
  readonly failure?: unknown;
}

export async function readBody(response: Response, idle: IdleSignal, wish: BodyWish): Promise<BodyRead> {
  const reader = response.body?.getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let received = 0;
  try {
    while (received < wish.stopAt) {
      const read = await nextOf(reader);
      if ("failure" in read) return { bytes: new Uint8Array(0), received, failure: read.failure };
      if (read.done) break;
      idle.touch();
      const from = Math.max(0, wish.skip - received);
      const to = Math.min(read.value.byteLength, wish.skip + wish.take - received);
      if (to > from) parts.push(read.value.subarray(from, to));
      received += read.value.byteLength;
      wish.progress?.(received);
    }
  } finally {
    leave(reader);
  }
  return joined(parts, received);
}

/** What the reader throws is the connection's failure, and nothing else is. */
async function nextOf(
  reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>> | undefined,
): Promise<ReadableStreamReadResult<Uint8Array<ArrayBuffer>> | { readonly failure: unknown }> {
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

/** One buffer of exactly these bytes, its own even where there is only one part; a failure where there is no room for it. */
function joined(parts: readonly Uint8Array<ArrayBuffer>[], received: number): BodyRead {
  const [only] = parts;
  if (parts.length === 1 && only !== undefined && only.byteLength === only.buffer.byteLength) {
    return { bytes: only, received };
  }
  const room = roomFor(parts.reduce((sum, part) => sum + part.byteLength, 0));
  if (!(room instanceof Uint8Array)) return { bytes: new Uint8Array(0), received, ...room };
  let at = 0;
  for (const part of parts) {
    room.set(part, at);
    at += part.byteLength;
  }
  return { bytes: room, received };
}

function roomFor(length: number): Uint8Array<ArrayBuffer> | { readonly failure: unknown } {
  try {
    return new Uint8Array(length);
  } catch (failure) {
    return { failure };
  }
}
