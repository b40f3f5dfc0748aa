/** The first bytes of something in a sentence: as hexadecimal and as ASCII. */

const SHOWN = 16;

/** `78 9c 63 00 “x.c.”`; what is not printable ASCII is a dot. At most 16 bytes, then `…`. */
export function firstBytes(bytes: Uint8Array): string {
  const first = [...bytes.subarray(0, SHOWN)];
  const hexadecimal = first.map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
  return `${hexadecimal}${bytes.length > SHOWN ? " …" : ""} “${asciiText(bytes.subarray(0, SHOWN))}”`;
}

/** Printable ASCII as it is, other bytes as dots. */
export function asciiText(bytes: Uint8Array): string {
  return [...bytes].map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : ".")).join("");
}
