/** The blocks of a Blosc frame decoded and unshuffled inside one WebAssembly memory, copied out once. */
import type { Bytes } from "#core/byte-source.ts";
import type { DecodeMemory } from "../wasm/memory.ts";

export interface BlockLayout {
  readonly size: number;
  readonly blockSize: number;
  readonly elementSize: number;
  readonly shuffled: "bytes" | "bits" | undefined;
  /** Offset of the list of block starts. */
  readonly startsAt: number;
  /** Streams of a block of that many bytes. */
  splits(blockBytes: number): number;
}

export interface BlockMemory extends DecodeMemory {
  /** Decodes the stream in [from, end) into exactly all of [to, stop), addresses all. */
  decode(from: number, end: number, to: number, stop: number): boolean;
}

interface Placed {
  readonly from: number;
  readonly end: number;
  readonly to: number;
  /** A block before it is unshuffled, and between the two steps of bit shuffle. */
  readonly packed: number;
  readonly between: number;
}

/** `undefined` where there is no memory, or where something is wrong: the plain path then says what. */
export function fastBlocks(input: Uint8Array, layout: BlockLayout, memory: BlockMemory): Bytes | undefined {
  const { size, blockSize, shuffled } = layout;
  const scratch = shuffled === undefined ? 0 : Math.min(blockSize, size);
  const sizes = [input.length, size, scratch, shuffled === "bits" ? scratch : 0];
  const [from, to, packed, between] = memory.place(sizes) ?? [];
  if (from === undefined || to === undefined || packed === undefined || between === undefined) return undefined;
  memory.view(from, input.length).set(input);
  const placed = { from, end: from + input.length, to, packed, between };
  const view = new DataView(input.buffer, input.byteOffset, input.length);
  for (let at = 0, block = 0; at < size; at += blockSize, block++) {
    const length = Math.min(blockSize, size - at);
    const start = view.getUint32(layout.startsAt + 4 * block, true);
    if (!decodeBlock(view, start, { at, length }, { layout, memory, placed })) return undefined;
  }
  return memory.view(to, size).slice();
}

interface Work {
  readonly layout: BlockLayout;
  readonly memory: BlockMemory;
  readonly placed: Placed;
}

function decodeBlock(
  view: DataView,
  start: number,
  { at, length }: { readonly at: number; readonly length: number },
  { layout, memory, placed }: Work,
): boolean {
  const target = placed.to + at;
  const { shuffled, elementSize } = layout;
  const into = shuffled === undefined ? target : placed.packed;
  if (!decodeStreams(view, start, { into, length }, { layout, memory, placed })) return false;
  if (shuffled === "bytes") memory.run.unshuffleBytes(into, length, elementSize, target);
  if (shuffled === "bits") memory.run.unshuffleBits(into, length, elementSize, placed.between, target);
  return true;
}

/** Each stream has its length before it; what would not shrink is stored as it is. */
function decodeStreams(
  view: DataView,
  start: number,
  { into, length }: { readonly into: number; readonly length: number },
  { layout, memory, placed }: Work,
): boolean {
  const splits = layout.splits(length);
  const size = Math.floor(length / splits);
  let at = start;
  for (let i = 0; i < splits; i++) {
    if (at + 4 > view.byteLength) return false;
    const stored = view.getUint32(at, true);
    at += 4;
    if (at + stored > view.byteLength) return false;
    const from = placed.from + at;
    const to = into + i * size;
    if (stored === size) memory.view(to, size).set(memory.view(from, size));
    else if (!memory.decode(from, from + stored, to, to + size)) return false;
    at += stored;
  }
  return true;
}
