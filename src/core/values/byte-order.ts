/** Turning the bytes of elements round. */

/** A copy with the bytes of every `size`-byte unit reversed; bytes after the last whole unit stay. */
export function swapBytes(bytes: Uint8Array, size: number): Uint8Array<ArrayBuffer> {
  const copy = new Uint8Array(bytes);
  if (size === 2) swap2(copy);
  else if (size === 4) swap4(copy);
  else if (size === 8) swap8(copy);
  else if (size > 1) for (let at = size; at <= copy.length; at += size) copy.subarray(at - size, at).reverse();
  return copy;
}

function swap2(bytes: Uint8Array<ArrayBuffer>): void {
  const units = new Uint16Array(bytes.buffer, 0, bytes.length >> 1);
  for (let i = 0; i < units.length; i++) {
    const unit = units[i] as number;
    units[i] = (unit << 8) | (unit >> 8);
  }
}

function swap4(bytes: Uint8Array<ArrayBuffer>): void {
  const units = new Uint32Array(bytes.buffer, 0, bytes.length >> 2);
  for (let i = 0; i < units.length; i++) units[i] = turned(units[i] as number);
}

function swap8(bytes: Uint8Array<ArrayBuffer>): void {
  const halves = new Uint32Array(bytes.buffer, 0, (bytes.length >> 3) * 2);
  for (let i = 0; i < halves.length; i += 2) {
    const low = halves[i] as number;
    halves[i] = turned(halves[i + 1] as number);
    halves[i + 1] = turned(low);
  }
}

function turned(unit: number): number {
  return ((unit & 0xff) << 24) | ((unit & 0xff00) << 8) | ((unit >>> 8) & 0xff00) | (unit >>> 24);
}
