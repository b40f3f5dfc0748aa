/**
 * Metadata that HDF5 kept in its cache when the file was closed (HDF5 File Format Specification 3.0, III.I and IV.A.2.y):
 * one block has the structures, and what lies at their own addresses may be older or nothing.
 */
import type { FileBytes } from "#core/file-bytes.ts";
import { Cursor, summed, type Hdf5File } from "./hdf5-file.ts";
import type { Message } from "./object-header.ts";

interface Entry {
  readonly offset: number;
  readonly bytes: Uint8Array;
}

/** The file's bytes as HDF5 has them once it has read the image. */
export async function withCacheImage(file: Hdf5File, { body, offset }: Message): Promise<FileBytes> {
  const { bytes, base, O, L } = file;
  const fields = new Cursor(file, "metadata cache image message", offset, body, 1);
  const [address, length] = [fields.limit(O), fields.u(L)];
  if (address === undefined || length === 0) return bytes;
  const block = await summed(file, "metadata cache image", "MDCI", address, length);
  const count = block.skip(2 + L).u(4);
  const entries: Entry[] = [];
  for (let number = 0; number < count; number += 1) {
    // Type, flags, ring, age, children and dirty children of flush dependencies.
    const parents = block.skip(8).u(2);
    const at = block.skip(4).u(O);
    const size = block.u(L);
    entries.push({ offset: base + at, bytes: block.skip(parents * O).take(size) });
  }
  return {
    ...bytes,
    read: async (from, wanted, ahead) => overlaid(await bytes.read(from, wanted, ahead), from, entries),
  };
}

function overlaid(stored: Uint8Array, from: number, entries: readonly Entry[]): Uint8Array {
  const to = from + stored.length;
  const parts = entries.filter(({ offset, bytes }) => offset < to && offset + bytes.length > from);
  if (parts.length === 0) return stored;
  const whole = stored.slice();
  for (const { offset, bytes } of parts)
    whole.set(bytes.subarray(Math.max(0, from - offset), to - offset), Math.max(0, offset - from));
  return whole;
}
