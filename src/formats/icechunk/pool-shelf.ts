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
            const guide = guides.findLast((one) => placeIn(one, 0, tag, source, from, length) >= 0);
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

/** The first entry from `next` on with these bytes, -1 where none is near. */
function placeIn(pool: PlainPool, next: number, tag: number, source: Uint8Array, from: number, length: number): number {
  const { raw, starts } = pool;
  const last = Math.min(pool.count, next + MAX_PASSED);
  for (let at = next; at < last; at += 1) {
    const start = starts[at] as number;
    if ((starts[at + 1] as number) - start !== length + 1 || raw[start] !== tag) continue;
    // Locations differ at their ends.
    let byte = length;
    while (byte > 0 && raw[start + byte] === source[from + byte - 1]) byte -= 1;
    if (byte === 0) return at;
  }
  return -1;
}

/** Until an entry comes that does not follow the guide: from then on as if there were none. */
function guidedWriter(guide: PlainPool, keep: Keep): BytePoolWriter {
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
      const at = placeIn(guide, Math.max(0, next - 1), tag, source, from, length);
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
    finish: () => own?.finish() ?? (count === guide.count ? guide : partOf(guide, places.subarray(0, count))),
  };
}
