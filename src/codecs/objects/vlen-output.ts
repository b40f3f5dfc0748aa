/** Text written into an output that grows. */
import { type Output, reserve } from "../codec.ts";

const ENCODER = new TextEncoder();

/** Writes a text as UTF-8. Throws `decode-too-large`. */
export function writeText(output: Output, text: string): void {
  const bytes = ENCODER.encode(text);
  reserve(output, bytes.length);
  output.bytes.set(bytes, output.length);
  output.length += bytes.length;
}

/** Little-endian, over what is there. */
export function setUint32(output: Output, at: number, number: number): void {
  new DataView(output.bytes.buffer, output.bytes.byteOffset).setUint32(at, number, true);
}
