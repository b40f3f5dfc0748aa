/**
 * Pools of entries that came before, as guides for the next: arrays of one data set mostly name the same files in the same
 * order, but for chunks that one of them lacks. What a guide has needs no hash, and takes no memory of its own; a few
 * entries that it lacks are put between its own, so that the next array finds them there.
 */
import { bytePoolWriter, type BytePoolWriter } from "./byte-pool.ts";
import { beginsAsIn, guidedWriter, guideOf, keeping, type Guide, type Keep } from "./guided-writer.ts";

export interface PoolShelf {
  /** A writer whose entries are likely those of a pool on the shelf. */
  writer(): BytePoolWriter;
}

const MAX_BYTES = 16 << 20;
/** Pools of fewer entries are quickly made. */
const LEAST = 256;

export function poolShelf(): PoolShelf {
  const guides: Guide[] = [];
  let bytes = 0;
  const keep: Keep = (pool, instead) => {
    if (pool.count < Math.max(LEAST, instead?.pool.count ?? 0)) return pool;
    const at = instead === undefined ? -1 : guides.indexOf(instead);
    if (at >= 0) bytes -= guides.splice(at, 1)[0]?.pool.byteLength ?? 0;
    guides.push(guideOf(pool));
    bytes += pool.byteLength;
    while (bytes > MAX_BYTES) bytes -= guides.shift()?.pool.byteLength ?? bytes;
    return pool;
  };
  const guideFor: FindGuide = (tag, source, from, length) =>
    guides.findLast((one) => beginsAsIn(one, tag, source, from, length));
  return { writer: () => shelfWriter(guideFor, keep) };
}

type FindGuide = (tag: number, source: Uint8Array, from: number, length: number) => Guide | undefined;

/** Entries by which a guide is looked for: it may lack the first. */
const TRIES = 4;

function shelfWriter(guideFor: FindGuide, keep: Keep): BytePoolWriter {
  let own = keeping(bytePoolWriter(), keep);
  let tries = 0;
  const follow = (guide: Guide): void => {
    const before = own.finish();
    own = guidedWriter(guide, keep);
    for (let id = 0; id < before.count; id += 1) {
      const bytes = before.bytes(id);
      own.intern(before.tag(id), bytes, 0, bytes.length);
    }
    tries = TRIES;
  };
  return {
    intern(tag, source, from, length) {
      if (tries < TRIES) {
        tries += 1;
        const guide = guideFor(tag, source, from, length);
        if (guide !== undefined) follow(guide);
      }
      return own.intern(tag, source, from, length);
    },
    finish: () => own.finish(),
  };
}
