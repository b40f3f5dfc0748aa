/**
 * BloscLZ, as `codecs/blosc/blosclz.ts` reads it; what fails here is decoded again there, which says why. Input may be
 * read up to 32 bytes past its end, and up to 64 bytes past the target may be written.
 */
import { copyMatch } from "./inflate.as";

const NEAR: u32 = 8191;
/** No buffer is so long; lengths are summed up no further, so that they do not wrap. */
const MAX_LENGTH: u32 = 0xf0000000;

/** Decodes all of [from, end) into exactly all of [to, stop). 1: done; 0: not, for whatever reason. */
export function blosclz(from: u32, end: u32, to: u32, stop: u32): i32 {
  if (from >= end) return 0;
  const start = to;
  let control = <u32>load<u8>(from++) & 31;
  for (;;) {
    if (control < 32) {
      const length = control + 1;
      if (length > end - from || length > stop - to) return 0;
      v128.store(to, v128.load(from));
      v128.store(to, v128.load(from, 16), 16);
      from += length;
      to += length;
    } else {
      let length = (control >> 5) + 2;
      if (length == 9) {
        let more: u32 = 255;
        while (more == 255 && from < end && length < MAX_LENGTH) {
          more = <u32>load<u8>(from++);
          length += more;
        }
      }
      if (end - from < 1) return 0;
      const low = <u32>load<u8>(from++);
      let distance = ((control & 31) << 8) + low + 1;
      if (low == 255 && (control & 31) == 31) {
        if (end - from < 2) return 0;
        distance = (<u32>load<u8>(from) << 8) + <u32>load<u8>(from, 1) + NEAR + 1;
        from += 2;
      }
      if (distance > to - start || length > stop - to) return 0;
      copyMatch(to, distance, length);
      to += length;
    }
    if (from >= end) break;
    control = <u32>load<u8>(from++);
  }
  return to == stop ? 1 : 0;
}
