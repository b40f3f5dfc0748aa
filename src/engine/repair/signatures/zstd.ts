/** A Zstandard frame, or a skippable one (RFC 8878 §3.1). */
import type { Signature } from "../../../core/check/lab.ts";
import { beginsWith, factsOf, viewOf, type Recognise } from "./signature.ts";

const DICTIONARY_BYTES = [0, 1, 2, 4];
const MAX_HEADER = 18;

export const zstd: Recognise = (bytes) => {
  const isSkippable = ((bytes[0] ?? 0) & 0xf0) === 0x50 && beginsWith(bytes, [0x2a, 0x4d, 0x18], 1);
  if (isSkippable && bytes.length >= 8) {
    const facts = factsOf({ "Bytes to skip": String(viewOf(bytes).getUint32(4, true)) });
    return { name: "zstd", label: "Zstandard, a skippable frame", facts };
  }
  return beginsWith(bytes, [0x28, 0xb5, 0x2f, 0xfd]) ? frame(bytes) : undefined;
};

/** Fields past the end of what is here read as 0, so that a frame that is cut off is still named. */
function frame(bytes: Uint8Array): Signature {
  const header = new Uint8Array(MAX_HEADER);
  header.set(bytes.subarray(0, MAX_HEADER));
  const view = viewOf(header);
  const descriptor = view.getUint8(4);
  const isSingle = (descriptor & 0x20) !== 0;
  const dictionaryBytes = DICTIONARY_BYTES[descriptor & 3] ?? 0;
  const dictionaryAt = isSingle ? 5 : 6;
  const size = contentSize(view, descriptor >> 6, isSingle, dictionaryAt + dictionaryBytes);
  const window = isSingle ? size : windowSize(view.getUint8(5));
  const dictionary = dictionaryBytes === 0 ? "none" : `number ${little(header, dictionaryAt, dictionaryBytes)}`;
  const facts = factsOf({
    "Content size": size === undefined ? "not said" : `${size} bytes`,
    Window: window === undefined ? undefined : `${window} bytes`,
    Checksum: (descriptor & 4) === 0 ? "none" : "of the content, in the last 4 bytes",
    Dictionary: dictionary,
  });
  const label = size === undefined ? "Zstandard, size not said" : `Zstandard, ${size} bytes when decoded`;
  return { name: "zstd", label, facts };
}

function contentSize(view: DataView, flag: number, isSingle: boolean, at: number): number | bigint | undefined {
  if (flag === 0) return isSingle ? view.getUint8(at) : undefined;
  if (flag === 1) return view.getUint16(at, true) + 256;
  return flag === 2 ? view.getUint32(at, true) : view.getBigUint64(at, true);
}

function windowSize(descriptor: number): number {
  const base = 2 ** (10 + (descriptor >> 3));
  return base + (base / 8) * (descriptor & 7);
}

function little(bytes: Uint8Array, at: number, count: number): number {
  let value = 0;
  for (let index = count - 1; index >= 0; index -= 1) value = value * 256 + (bytes[at + index] ?? 0);
  return value;
}
