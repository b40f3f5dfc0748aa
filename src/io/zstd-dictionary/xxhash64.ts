/** XXH64 with seed 0, the checksum of zstd frames (RFC 8878 §3.1.1; its lower half is stored). */

const P1: bigint = 0x9e37_79b1_85eb_ca87n;
const P2: bigint = 0xc2b2_ae3d_27d4_eb4fn;
const P3: bigint = 0x1656_67b1_9e37_79f9n;
const P4: bigint = 0x85eb_ca77_c2b2_ae63n;
const P5: bigint = 0x27d4_eb2f_1656_67c5n;

const wrap = (value: bigint) => BigInt.asUintN(64, value);
const rotate = (value: bigint, by: bigint) => wrap((value << by) | (value >> (64n - by)));
const round = (sum: bigint, lane: bigint) => wrap(rotate(wrap(sum + wrap(lane * P2)), 31n) * P1);
const merge = (sum: bigint, lane: bigint) => wrap((sum ^ round(0n, lane)) * P1 + P4);

/** The lower 32 bits of the hash of [from, end). */
export function xxHash64Low(bytes: Uint8Array<ArrayBuffer>, from: number, end: number): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  let at = from;
  let sum = P5;
  if (end - from >= 32) {
    let [a, b, c, d] = [wrap(P1 + P2), P2, 0n, wrap(-P1)];
    for (; at + 32 <= end; at += 32) {
      a = round(a, view.getBigUint64(at, true));
      b = round(b, view.getBigUint64(at + 8, true));
      c = round(c, view.getBigUint64(at + 16, true));
      d = round(d, view.getBigUint64(at + 24, true));
    }
    sum = wrap(rotate(a, 1n) + rotate(b, 7n) + rotate(c, 12n) + rotate(d, 18n));
    for (const lane of [a, b, c, d]) sum = merge(sum, lane);
  }
  sum = wrap(sum + BigInt(end - from));
  for (; at + 8 <= end; at += 8) sum = wrap(rotate(sum ^ round(0n, view.getBigUint64(at, true)), 27n) * P1 + P4);
  if (at + 4 <= end) {
    sum = wrap(rotate(sum ^ wrap(BigInt(view.getUint32(at, true)) * P1), 23n) * P2 + P3);
    at += 4;
  }
  for (; at < end; at++) sum = wrap(rotate(sum ^ wrap(BigInt(view.getUint8(at)) * P5), 11n) * P1);
  sum = wrap((sum ^ (sum >> 33n)) * P2);
  sum = wrap((sum ^ (sum >> 29n)) * P3);
  return Number(BigInt.asUintN(32, sum ^ (sum >> 32n)));
}
