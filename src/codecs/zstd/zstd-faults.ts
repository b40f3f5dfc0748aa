/** Why the Zstandard decoder stopped, for people: its error codes (zstd_errors.h, zstd 1.5.7). */

export interface ZstdFault {
  readonly kind: "fault";
  readonly reason: "not-zstd" | "checksum" | "damaged" | "unsupported" | "memory";
  /** Words to follow "found:". */
  readonly found: string;
}

/** Codes are given as results close below 2^32; 120 is the highest (ZSTD_error_maxCode). */
const FIRST_ERROR = 2 ** 32 - 120;

const BY_CODE: ReadonlyMap<number, Omit<ZstdFault, "kind">> = new Map([
  [10, { reason: "not-zstd", found: "a frame begins with bytes that are not Zstandard's" }],
  [14, { reason: "unsupported", found: "the frame uses a feature the decoder does not know" }],
  [16, { reason: "unsupported", found: "the window is larger than 128 MB (it was made with --long=28 or more)" }],
  [20, { reason: "damaged", found: "the data is corrupted" }],
  [22, { reason: "checksum", found: "the checksum does not match" }],
  [24, { reason: "damaged", found: "the literals' header is corrupted" }],
  [30, { reason: "damaged", found: "the dictionary is corrupted" }],
  [32, { reason: "unsupported", found: "the frame needs a dictionary" }],
  [64, { reason: "memory", found: "there is not enough memory for the window" }],
]);

/** Fault that a result of the decoder stands for; `undefined` if it is not an error. */
export function faultOf(result: "no progress"): ZstdFault;
export function faultOf(result: number): ZstdFault | undefined;
export function faultOf(result: number | "no progress"): ZstdFault | undefined {
  if (result === "no progress") return { kind: "fault", reason: "damaged", found: "the decoder makes no progress" };
  if (result <= FIRST_ERROR) return undefined;
  const code = 2 ** 32 - result;
  const known = BY_CODE.get(code) ?? { reason: "damaged", found: `the decoder stopped with error ${code}` };
  return { kind: "fault", ...known };
}
