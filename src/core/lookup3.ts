/** Bob Jenkins' lookup3 (HDF5's H5_checksum_lookup3). */

/** lookup3 over bytes, as `hashlittle` gives it on every machine. Unsigned, 32 bits. */
export function lookup3(bytes: Uint8Array, initial = 0): number {
  const start = (0xdead_beef + bytes.length + initial) | 0;
  // Nothing is left only where there was nothing: then there is no last step.
  if (bytes.length === 0) return start >>> 0;
  let [a, b, c] = [start, start, start];
  let at = 0;
  for (; bytes.length - at > 12; at += 12) {
    a = (a + word(bytes, at)) | 0;
    b = (b + word(bytes, at + 4)) | 0;
    c = (c + word(bytes, at + 8)) | 0;
    a = (a - c) ^ turned(c, 4);
    c = (c + b) | 0;
    b = (b - a) ^ turned(a, 6);
    a = (a + c) | 0;
    c = (c - b) ^ turned(b, 8);
    b = (b + a) | 0;
    a = (a - c) ^ turned(c, 16);
    c = (c + b) | 0;
    b = (b - a) ^ turned(a, 19);
    a = (a + c) | 0;
    c = (c - b) ^ turned(b, 4);
    b = (b + a) | 0;
  }
  return lastStep(a + word(bytes, at), b + word(bytes, at + 4), c + word(bytes, at + 8));
}

/** Little-endian; past the end are zeros. */
function word(bytes: Uint8Array, at: number): number {
  return (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24);
}

const turned = (value: number, bits: number): number => (value << bits) | (value >>> (32 - bits));

function lastStep(first: number, second: number, third: number): number {
  let [a, b, c] = [first | 0, second | 0, third | 0];
  c = ((c ^ b) - turned(b, 14)) | 0;
  a = ((a ^ c) - turned(c, 11)) | 0;
  b = ((b ^ a) - turned(a, 25)) | 0;
  c = ((c ^ b) - turned(b, 16)) | 0;
  a = ((a ^ c) - turned(c, 4)) | 0;
  b = ((b ^ a) - turned(a, 14)) | 0;
  return ((c ^ b) - turned(b, 24)) >>> 0;
}
