/** Values in adaptive entropy coding (FM 92, template 7.42; CCSDS 121.0-B). */
import { decodeAec } from "../aec/decode.ts";
import { sectionName } from "./tables.ts";

/** Of section 5, template 5.42: octets 22, 23, and 24 and 25. */
export interface CcsdsFields {
  readonly flags: number;
  readonly blockSize: number;
  readonly interval: number;
}

/** `count` whole numbers, before they are scaled. The caller has kept `count` within bounds. Throws `decode-failed`. */
export function decodeCcsdsPacking(
  codec: string,
  data: Uint8Array,
  fields: CcsdsFields & { readonly bits: number; readonly count: number },
): Float64Array<ArrayBuffer> {
  const { count, bits, flags, blockSize, interval } = fields;
  const parameters = { codec, section: sectionName(7), bits, blockSize, interval, flags };
  return decodeAec(data, parameters, { count, limit: count * 8 });
}
