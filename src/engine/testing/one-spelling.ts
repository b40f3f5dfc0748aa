/** For tests: elements that may be spelled in several ways, in one. */

/** Text of bytes as Python's `str` writes it, if no quotes need escapes. */
export function pythonBytes(base64: string): string {
  const text = Array.from(Buffer.from(base64, "base64"), (byte) =>
    byte >= 32 && byte < 127 ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, "0")}`,
  );
  return `b'${text.join("")}'`;
}

/** Engines keep the bits of a NaN or not: every one is written the same. */
export function oneNaN(bytes: Uint8Array, dtype: string): Uint8Array {
  const copy = bytes.slice();
  if (!/^<[fc]/.test(dtype)) return copy;
  const size = Number(dtype.slice(2)) / (dtype[1] === "c" ? 2 : 1);
  if (size === 2) {
    const halves = new Uint16Array(copy.buffer);
    for (let i = 0; i < halves.length; i++) if (((halves[i] ?? 0) & 0x7fff) > 0x7c00) halves[i] = 0x7e00;
    return copy;
  }
  const values = size === 4 ? new Float32Array(copy.buffer) : new Float64Array(copy.buffer);
  for (let i = 0; i < values.length; i++) if (Number.isNaN(values[i])) values[i] = NaN;
  return copy;
}
