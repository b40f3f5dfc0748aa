/** The body of an answer, read piece by piece so that reading can stop as soon as what was asked for is there. */
import type { IdleSignal } from "./abort.ts";

export interface BodyWish {
  /** Bytes to pass over, then bytes to keep. */
  readonly skip: number;
  readonly take: number;
  /** Reading stops, and the connection is dropped, once so many bytes have come. */
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
      const { done, value } = (await reader?.read()) ?? { done: true };
      if (done) break;
      idle.touch();
      const from = Math.max(0, wish.skip - received);
      const to = Math.min(value.byteLength, wish.skip + wish.take - received);
      if (to > from) parts.push(value.subarray(from, to));
      received += value.byteLength;
      wish.progress?.(received);
    }
  } catch (failure) {
    return { bytes: joined(parts), received, failure };
  } finally {
    leave(reader);
  }
  return { bytes: joined(parts), received };
}

/** Ends the transfer where it is; nobody waits for how that ends. */
export function leave(reader: ReadableStreamDefaultReader<unknown> | undefined): void {
  reader?.cancel().catch(() => undefined);
}

/** One buffer of exactly these bytes, its own even where there is only one part. */
export function joined(parts: readonly Uint8Array<ArrayBuffer>[]): Uint8Array<ArrayBuffer> {
  const [only] = parts;
  if (parts.length === 1 && only !== undefined && only.byteLength === only.buffer.byteLength) return only;
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.byteLength;
  }
  return bytes;
}
