/**
 * Pools of entries that came before, as guides for the next: arrays of one data set mostly name the same files in the same
 * order. What follows a guide needs no hash, and takes no memory of its own.
 */
import { bytePoolWriter, partOf, type BytePoolWriter, type PlainPool } from "./byte-pool.ts";

export interface PoolShelf {
  /** A writer whose entries are likely those of a pool on the shelf. */
  writer(): BytePoolWriter;
}

const MAX_BYTES = 16 << 20;
/** Pools of fewer entries are quickly made. */
const LEAST = 256;
/** Entries of a guide that are passed over to find the next one. */
const MAX_PASSED = 64;

export function poolShelf(): PoolShelf {
  const guides: PlainPool[] = [];
  let bytes = 0;
  const keep = (pool: PlainPool, instead?: PlainPool): PlainPool => {
    if (pool.count < Math.max(LEAST, instead?.count ?? 0)) return pool;
    const at = instead === undefined ? -1 : guides.indexOf(instead);
    if (at >= 0) bytes -= guides.splice(at, 1)[0]?.byteLength ?? 0;
    guides.push(pool);
    bytes += pool.byteLength;
    while (bytes > MAX_BYTES) bytes -= guides.shift()?.byteLength ?? bytes;
    return pool;
  };
  return {
    writer() {
      let own: BytePoolWriter | undefined;
      return {
        intern(tag, source, from, length) {
          if (own === undefined) {
            const words = sourceOf(source);
            const guide = guides.map(guideOf).findLast((one) => placeIn(one, 0, tag, words, from, length) >= 0);
            own = guide === undefined ? keeping(bytePoolWriter(), keep) : guidedWriter(guide, keep);
          }
          return own.intern(tag, source, from, length);
        },
        finish: () => (own ?? bytePoolWriter()).finish(),
      };
    },
  };
}

/** `instead`: of the guide that this pool has more than. */
type Keep = (pool: PlainPool, instead?: PlainPool) => PlainPool;

const keeping = (writer: BytePoolWriter, keep: Keep, guide?: PlainPool): BytePoolWriter => ({
  intern: (tag, source, from, length) => writer.intern(tag, source, from, length),
  finish: () => keep(writer.finish(), guide),
});

/** Bytes of a file, and the same as words. */
interface Source {
  readonly bytes: Uint8Array;
  readonly view: DataView;
}

const sourceOf = (bytes: Uint8Array): Source => ({
  bytes,
  view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength),
});

const guideOf = (pool: PlainPool): Guide => ({ pool, view: sourceOf(pool.raw).view });

interface Guide {
  readonly pool: PlainPool;
  readonly view: DataView;
}

/** The first entry from `next` on with these bytes, -1 where none is near. */
function placeIn(
  { pool, view }: Guide,
  next: number,
  tag: number,
  source: Source,
  from: number,
  length: number,
): number {
  const { raw, starts, count } = pool;
  const last = Math.min(count, next + MAX_PASSED);
  for (let at = next; at < last; at += 1) {
    const start = starts[at] as number;
    if ((starts[at + 1] as number) - start !== length + 1 || raw[start] !== tag) continue;
    if (isSame(view, start + 1, source.view, from, length)) return at;
  }
  return -1;
}

/** From the end, four bytes at a time: locations differ at their ends. */
function isSame(one: DataView, at: number, other: DataView, from: number, length: number): boolean {
  let rest = length;
  while (rest >= 4) {
    rest -= 4;
    if (one.getUint32(at + rest) !== other.getUint32(from + rest)) return false;
  }
  while (rest > 0) {
    rest -= 1;
    if (one.getUint8(at + rest) !== other.getUint8(from + rest)) return false;
  }
  return true;
}

/** Until an entry comes that does not follow the guide: from then on as if there were none. */
function guidedWriter(by: Guide, keep: Keep): BytePoolWriter {
  const guide = by.pool;
  let words = sourceOf(guide.raw);
  const places = new Uint32Array(guide.count);
  let [count, next] = [0, 0];
  let own: BytePoolWriter | undefined;
  const leave = (): BytePoolWriter => {
    const writer = bytePoolWriter();
    for (let id = 0; id < count; id += 1) {
      const [from, to] = [guide.starts[places[id] as number] as number, guide.starts[(places[id] as number) + 1] as number]; // prettier-ignore
      writer.intern(guide.raw[from] as number, guide.raw, from + 1, to - from - 1);
    }
    return keeping(writer, keep, guide);
  };
  return {
    intern(tag, source, from, length) {
      if (own !== undefined) return own.intern(tag, source, from, length);
      // The one before may be meant again.
      if (words.bytes !== source) words = sourceOf(source);
      const at = placeIn(by, Math.max(0, next - 1), tag, words, from, length);
      if (at >= 0 && at === next - 1) return count - 1;
      if (at >= 0) {
        places[count] = at;
        next = at + 1;
        count += 1;
        return count - 1;
      }
      own = leave();
      return own.intern(tag, source, from, length);
    },
    finish: () => own?.finish() ?? (count === guide.count ? guide : partOf(guide, places.slice(0, count))),
  };
}
