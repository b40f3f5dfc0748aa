/**
 * Virtual chunks as nearly all are written, read without an object for each: there may be tens of millions. Whatever is
 * unusual, or not within its file, is left to the reader that says what is wrong (`flat.ts`), as is all that is charged to
 * the file's budget once that is used up.
 */
import type { FlatVector } from "./flat.ts";

/** The reference that was read last. */
export interface PlainReference {
  /** Where its coordinates begin, and how many there are. */
  index: number;
  count: number;
  /** Where its location begins, and its bytes. */
  location: number;
  locationBytes: number;
  isCompressed: boolean;
  /** In the target; bytes. */
  offset: number;
  length: number;
  /** When the target was last modified, in seconds; 0: not recorded. */
  seconds: number;
}

export interface PlainReferences {
  readonly last: PlainReference;
  /** False: this one is not plain; nothing was charged for it. */
  read(at: number): boolean;
}

/** Where the fields are in a table that has this vtable; 0 for such as it lacks. */
interface Layout {
  readonly vtable: number;
  readonly size: number;
  readonly index: number;
  readonly offset: number;
  readonly length: number;
  readonly location: number;
  readonly isCompressed: boolean;
  readonly seconds: number;
}

/** Lengths from here on are kept apart. */
const LENGTH_LARGE = 0xffff_ffff;
/** The upper half of numbers that are not exact. */
const HIGH_INEXACT = 0x20_0000;

export function plainReferences({ flat, at: refs }: FlatVector): PlainReferences {
  const { view } = flat;
  const end = view.byteLength;
  const last: PlainReference = {
    index: 0,
    count: 0,
    location: 0,
    locationBytes: 0,
    isCompressed: false,
    offset: 0,
    length: 0,
    seconds: 0,
  };
  let layout: Layout | undefined;
  /** Where a vector begins, -1 where it is not within the file. */
  const vectorAt = (field: number, size: number): number => {
    const at = field + view.getUint32(field, true);
    return at + 4 <= end && view.getUint32(at, true) * size <= end - at - 4 ? at : -1;
  };
  return {
    last,
    read(reference) {
      const slot = refs + 4 * reference;
      const at = slot + view.getUint32(slot, true);
      if (at + 4 > end) return false;
      const vtable = at - view.getInt32(at, true);
      if (layout?.vtable !== vtable) layout = layoutAt(view, vtable);
      if (layout === undefined || at + layout.size > end) return false;
      const [index, location] = [vectorAt(at + layout.index, 4), vectorAt(at + layout.location, 1)];
      if (index < 0 || location < 0) return false;
      const high = layout.offset === 0 ? 0 : view.getUint32(at + layout.offset + 4, true);
      const long = layout.length === 0 ? 0 : view.getUint32(at + layout.length + 4, true);
      const length = layout.length === 0 ? 0 : view.getUint32(at + layout.length, true);
      if (high >= HIGH_INEXACT || long !== 0 || length === LENGTH_LARGE) return false;
      const [count, bytes] = [view.getUint32(index, true), view.getUint32(location, true)];
      const cost = layout.size + 4 * count + bytes;
      if (flat.budget < cost) return false;
      flat.budget -= cost;
      last.index = index + 4;
      last.count = count;
      last.location = location + 4;
      last.locationBytes = bytes;
      last.isCompressed = layout.isCompressed;
      last.offset = layout.offset === 0 ? 0 : high * 0x1_0000_0000 + view.getUint32(at + layout.offset, true);
      last.length = length;
      last.seconds = layout.seconds === 0 ? 0 : view.getUint32(at + layout.seconds, true);
      return true;
    },
  };
}

/** Fields by their slots in the format's schema. */
const [INDEX, OFFSET, LENGTH, CHUNK_ID, LOCATION, ETAG, SECONDS, COMPRESSED] = [0, 2, 3, 4, 5, 6, 7, 8] as const;

/** `undefined` for tables that are no plain virtual chunks, or not as they must be. */
function layoutAt(view: DataView, vtable: number): Layout | undefined {
  const end = view.byteLength;
  if (vtable < 0 || vtable + 4 > end) return undefined;
  const [vtableSize, size] = [view.getUint16(vtable, true), view.getUint16(vtable + 2, true)];
  if (vtableSize < 4 || vtable + vtableSize > end || size < 4) return undefined;
  let isSound = true;
  const field = (slot: number, bytes: number): number => {
    const entry = 4 + 2 * slot;
    const offset = entry + 2 > vtableSize ? 0 : view.getUint16(vtable + entry, true);
    if (offset !== 0 && (offset < 4 || offset + bytes > size)) isSound = false;
    return offset;
  };
  const compressed = field(COMPRESSED, 4);
  const location = compressed === 0 ? field(LOCATION, 4) : compressed;
  const rest = {
    index: field(INDEX, 4),
    offset: field(OFFSET, 8),
    length: field(LENGTH, 8),
    seconds: field(SECONDS, 4),
  };
  const isPlain = location !== 0 && rest.index !== 0 && field(CHUNK_ID, 12) === 0 && field(ETAG, 4) === 0;
  return isPlain && isSound ? { vtable, size, location, isCompressed: compressed !== 0, ...rest } : undefined;
}
