/**
 * The LZ4 block format, as `codecs/lz4-block.ts` reads it; what fails here is decoded again there, which says why. Input
 * may be read up to 32 bytes past its end, and up to 64 bytes past the target may be written.
 */
import { copyMatch } from "./inflate.as";

/** No buffer is so long; lengths are summed up no further, so that they do not wrap. */
const MAX_LENGTH: u32 = 0xf0000000;

/** Decodes all of [from, end) into exactly all of [to, stop). 1: done; 0: not, for whatever reason. */
export function lz4(from: u32, end: u32, to: u32, stop: u32): i32 {
  const start = to;
  while (from < end) {
    const token = <u32>load<u8>(from++);
    let literals = token >> 4;
    if (literals != 15) {
      v128.store(to, v128.load(from));
    } else {
      let more: u32 = 255;
      while (more == 255 && from < end && literals < MAX_LENGTH) {
        more = <u32>load<u8>(from++);
        literals += more;
      }
      if (literals > end - from || literals > stop - to) return 0;
      copyLiterals(to, from, literals);
    }
    if (literals > end - from || literals > stop - to) return 0;
    from += literals;
    to += literals;
    if (from == end) break;
    if (end - from < 2) return 0;
    const distance = <u32>load<u16>(from);
    from += 2;
    if (distance == 0 || distance > to - start) return 0;
    let length = (token & 15) + 4;
    if (length != 19) {
      if (length > stop - to) return 0;
      if (distance >= 16) {
        v128.store(to, v128.load(to - distance));
        store<u64>(to, load<u64>(to - distance, 16), 16);
        to += length;
        continue;
      }
    } else {
      let more: u32 = 255;
      while (more == 255 && from < end && length < MAX_LENGTH) {
        more = <u32>load<u8>(from++);
        length += more;
      }
      if (length > stop - to) return 0;
    }
    copyMatch(to, distance, length);
    to += length;
  }
  return to == stop ? 1 : 0;
}

function copyLiterals(to: u32, from: u32, length: u32): void {
  if (length > 256) {
    memory.copy(to, from, length);
    return;
  }
  const stop = to + length;
  while (to < stop) {
    v128.store(to, v128.load(from));
    to += 16;
    from += 16;
  }
}
