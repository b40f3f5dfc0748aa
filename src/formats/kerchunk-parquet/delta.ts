/** Integers as differences (parquet-format, Encodings.md: DELTA_BINARY_PACKED). */
import { readBits, readVarint } from "./bit-packing.ts";
import { recordFault, unsupportedRecord } from "./record-fault.ts";

const MAX_BLOCK = 65_536;

/** `count` numbers into `out` from its start; the position after the last block. Throws `parquet-record-broken`. */
export function readDeltas(bytes: Uint8Array, from: number, out: Float64Array | Uint32Array, count: number): number {
  const [blockSize, afterSize] = readVarint(bytes, from);
  const [parts, afterParts] = readVarint(bytes, afterSize);
  const [total, afterTotal] = readVarint(bytes, afterParts);
  const isSound = blockSize > 0 && blockSize <= MAX_BLOCK && parts > 0 && blockSize % (parts * 8) === 0;
  if (!isSound) throw recordFault("blocks of 128 to 65,536 differences", `${blockSize} in ${parts} parts`);
  if (total !== count) throw recordFault(`${count} numbers`, `${total}, as the encoding says`);
  let [value, at] = readZigzag(bytes, afterTotal);
  if (count > 0) out[0] = value;
  const each = blockSize / parts;
  for (let done = 1; done < count;) {
    const [least, widths] = readZigzag(bytes, at);
    at = widths + parts;
    for (let part = 0; part < parts && done < count; part += 1) {
      const width = bytes[widths + part] ?? 0;
      if (width > 53) throw unsupportedRecord("differences of at most 53 bits", `${width} bits`);
      if (at + Math.ceil((Math.min(each, count - done) * width) / 8) > bytes.length) {
        throw recordFault("whole blocks of differences", `the end of the page at byte ${bytes.length}`);
      }
      for (let index = 0; index < each && done < count; index += 1, done += 1) {
        value += least + readBits(bytes, at, index * width, width);
        out[done] = value;
      }
      at += (each * width) / 8;
    }
  }
  return Math.min(at, bytes.length);
}

function readZigzag(bytes: Uint8Array, from: number): [number, number] {
  const [value, next] = readVarint(bytes, from);
  return [value % 2 === 0 ? value / 2 : -(value + 1) / 2, next];
}
