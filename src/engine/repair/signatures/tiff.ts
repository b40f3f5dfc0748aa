/** A TIFF or BigTIFF file (TIFF 6.0 §2; BigTIFF). */
import { beginsWith, factsOf, viewOf, type Recognise } from "./signature.ts";

export const tiff: Recognise = (bytes) => {
  const isLittle = beginsWith(bytes, "II");
  if ((!isLittle && !beginsWith(bytes, "MM")) || bytes.length < 8) return undefined;
  const view = viewOf(bytes);
  const version = view.getUint16(2, isLittle);
  const isBig = version === 43 && view.getUint16(4, isLittle) === 8 && bytes.length >= 16;
  if (version !== 42 && !isBig) return undefined;
  const first = isBig ? view.getBigUint64(8, isLittle) : view.getUint32(4, isLittle);
  const order = isLittle ? "little-endian" : "big-endian";
  const name = isBig ? "BigTIFF" : "TIFF";
  const facts = factsOf({ "Byte order": order, "First directory": `at byte ${first}` });
  return { name: "tiff", label: `${name}, ${order}, the beginning of a file`, facts };
};
