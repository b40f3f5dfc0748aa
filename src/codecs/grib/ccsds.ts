/** Values in adaptive entropy coding (FM 92, template 7.42; CCSDS 121.0-B). */
import { decodeAec } from "../aec/decode.ts";
import type { Ccsds } from "./packing.ts";
import { sectionName } from "./tables.ts";

/** `count` whole numbers, before they are scaled. The caller has kept `count` within bounds. Throws `decode-failed`. */
export function decodeCcsdsPacking(
  codec: string,
  data: Uint8Array,
  { bits, ccsds, count }: { readonly bits: number; readonly ccsds: Ccsds; readonly count: number },
): Float64Array<ArrayBuffer> {
  return decodeAec(data, { codec, section: sectionName(7), bits, ...ccsds }, { count, limit: count * 8 });
}
