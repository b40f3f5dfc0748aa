/**
 * Where a member of gzip ends, in engines whose decoder says nothing of it. All refuse a piece that holds more than the
 * member's end; most give the piece's output first, by whose length the end is found (`gzip.ts`). WebKit throws that output
 * away: the member is then decoded once more, up to each place where it may end.
 */

type Bytes = Uint8Array<ArrayBuffer>;

/** "x", stored, as a member of its own, and the first byte of another. */
const MEMBER_AND_MORE = Uint8Array.from(
  "1f8b0800000000000003 010100feff78 8316dc8c01000000 1f".replaceAll(" ", "").match(/../g) ?? [],
  (pair) => Number.parseInt(pair, 16),
);

/** Whether the engine gives what a piece brought before it refuses what follows. Asked for every member: it costs microseconds. */
export async function givesBeforeRefusing(): Promise<boolean> {
  const output: Bytes[] = [];
  await decode([MEMBER_AND_MORE], (bytes) => output.push(bytes));
  return output.length > 0;
}

/** Compressed bytes of one member that are kept to be decoded once more. */
export const MAX_KEPT = 64 * 1024 * 1024;

export interface Replay {
  /** Offset in the last piece at which the member ended. */
  readonly end: number;
  /** What the member gave after the first `given` bytes. */
  readonly output: readonly Bytes[];
}

/** Places that are tried: a start of another member is a chance of one in 16 million at any byte inside of one. */
const MAX_TRIES = 32;

/** `pieces` are the member's, the last of them with what follows it; `ends` are the offsets in that to be tried. */
export async function replayed(
  pieces: readonly Bytes[],
  last: Bytes,
  ends: readonly number[],
  given: number,
): Promise<Replay | undefined> {
  for (const end of ends.slice(0, MAX_TRIES)) {
    const output: Bytes[] = [];
    let passed = 0;
    const whole = await decode([...pieces, last.subarray(0, end)], (bytes) => {
      const fresh = bytes.subarray(Math.max(0, Math.min(bytes.byteLength, given - passed)));
      passed += bytes.byteLength;
      if (fresh.byteLength > 0) output.push(fresh);
    });
    if (whole) return { end, output };
  }
  return undefined;
}

/** Whether the pieces are one whole member. */
async function decode(pieces: readonly Bytes[], take: (bytes: Bytes) => void): Promise<boolean> {
  const { readable, writable } = new DecompressionStream("gzip");
  const writer = writable.getWriter();
  const write = async (): Promise<void> => {
    for (const piece of pieces) if (piece.byteLength > 0) await writer.write(piece);
    await writer.close();
  };
  const read = async (): Promise<void> => {
    const reader = readable.getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) take(next.value);
  };
  const ends = await Promise.allSettled([write(), read()]);
  return ends.every(({ status }) => status === "fulfilled");
}
