/** How compressed streams begin, for `CodecStream.begins`. */
type Begins = (bytes: Uint8Array, at: number) => boolean;

export const magic =
  (...codes: readonly number[]): Begins =>
  (bytes, at) =>
    codes.every((code, index) => bytes[at + index] === code);

/** RFC 1950 §2.2. */
export const beginsZlib: Begins = (bytes, at) => {
  const [method = 0, flags = 0] = bytes.subarray(at, at + 2);
  return (method & 15) === 8 && method >> 4 <= 7 && (method * 256 + flags) % 31 === 0 && (flags & 32) === 0;
};

/** 4 bytes, little-endian; those past the end are zeros. */
export const word = (bytes: Uint8Array, at: number): number =>
  (bytes[at] ?? 0) + (bytes[at + 1] ?? 0) * 2 ** 8 + (bytes[at + 2] ?? 0) * 2 ** 16 + (bytes[at + 3] ?? 0) * 2 ** 24;

/** A header of 16 bytes says the sizes: decoded, of a block, stored. */
export function beginsBlosc(bytes: Uint8Array, at: number): boolean {
  const [version = 0, , , size = 0] = bytes.subarray(at, at + 4);
  const [decoded, block, stored] = [word(bytes, at + 4), word(bytes, at + 8), word(bytes, at + 12)];
  return (version === 1 || version === 2) && size > 0 && decoded > 0 && block <= decoded && stored > 16;
}

/** "RIFF", a size, "WEBP". */
export const beginsWebp: Begins = (bytes, at) =>
  magic(0x52, 0x49, 0x46, 0x46)(bytes, at) && magic(0x57, 0x45, 0x42, 0x50)(bytes, at + 8);
