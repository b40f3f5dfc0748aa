/** Parts of a range: cut out of it, or filled while it arrives. Each is given once, in a buffer of its own. */
import type { Bytes, ByteRange, CallContext, ReadBytes, ReadParts } from "#core/byte-source.ts";

export function readAndCut(read: (range: ByteRange, context: CallContext) => Promise<ReadBytes>): ReadParts {
  return async (range, parts, context, give) => {
    const whole = await read(range, context);
    for (const [at, part] of parts.entries()) give(at, partOf(whole, range.offset, part));
  };
}

export function partOf({ bytes, ...rest }: ReadBytes, start: number, { offset, length }: ByteRange): ReadBytes {
  return { bytes: bytes.slice(offset - start, offset - start + length), ...rest };
}

export interface Filling {
  readonly range: ByteRange;
  /** Parts in order of their offsets. */
  readonly parts: readonly ByteRange[];
  /** Called for each part that is full, with the bytes of the range that have come. */
  readonly full: (part: number, bytes: Bytes, received: number) => void;
}

const endOf = ({ offset, length }: ByteRange): number => offset + length;

/** Takes the bytes of a range, piece by piece in their order. Throws RangeError where there is no room for a part. */
export function fillParts({ range, parts, full }: Filling): (piece: Bytes) => void {
  /** Buffers of parts that have begun and are not full. */
  const rooms = new Map<number, Bytes>();
  let start = range.offset;
  let next = 0;
  const fill = (at: number, piece: Bytes): void => {
    const part = parts[at];
    const room = rooms.get(at);
    if (part === undefined || room === undefined) return;
    const from = Math.max(part.offset, start);
    room.set(piece.subarray(from - start, endOf(part) - start), from - part.offset);
    if (endOf(part) > start + piece.length) return;
    rooms.delete(at);
    full(at, room, start + piece.length - range.offset);
  };
  return (piece) => {
    for (let part = parts[next]; part !== undefined && part.offset < start + piece.length; part = parts[next]) {
      rooms.set(next, new Uint8Array(part.length));
      next += 1;
    }
    for (const at of rooms.keys()) fill(at, piece);
    start += piece.length;
  };
}
