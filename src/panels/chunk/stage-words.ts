/** Stages of decoding in words: ratios, what the bytes look like, the first facts of a signature. */
import type { CodecSummary } from "#core/open-set.ts";
import type { BytesLook, Signature } from "#core/check/lab.ts";
import type { StageReport } from "#core/reading.ts";
import { characterOf, hexText } from "#widgets/values/hex-view.ts";
import { formatExactBytes } from "#widgets/number-format.ts";

/** ` · 3.0×` where a stage changed the number of bytes; three digits at most. */
export function ratioText(bytesIn: number, bytesOut: number): string {
  if (bytesIn === 0 || bytesIn === bytesOut) return "";
  const ratio = bytesOut / bytesIn;
  const digits = ratio >= 100 ? 0 : ratio >= 0.995 && ratio < 1.05 ? 3 : ratio >= 1 ? 1 : 2;
  return ` · ${ratio.toFixed(digits)}×`;
}

const HEAD_BYTES = 8;

/** The first bytes as hex and as ASCII, for a line. */
export function headTexts(head: Uint8Array): { readonly hex: string; readonly ascii: string } {
  const bytes = head.subarray(0, HEAD_BYTES);
  return { hex: hexText(bytes), ascii: Array.from(bytes, characterOf).join("") };
}

/** `all 6,851 bytes`, or how many of them from the beginning. */
export function countedWords({ counted }: BytesLook, bytes: number): string {
  return counted >= bytes ? `all ${formatExactBytes(bytes)}` : `the first ${formatExactBytes(counted)}`;
}

/** Everything that is known of a signature, a line a fact. */
export function signatureLines({ label, facts }: Signature): string {
  return [label, ...facts.map(({ term, value }) => `${term}: ${value}`)].join("\n");
}

/** Bytes at the front that make the signature, by its name. Others have none of a known length. */
const MAGIC_BYTES: ReadonlyMap<string, number> = new Map([
  ["zlib", 2],
  ["gzip", 3],
  ["zstd", 4],
  ["blosc", 16],
  ["lz4", 4],
  ["lz4-hdf5", 12],
  ["icechunk", 12],
  ["bz2", 3],
  ["xz", 6],
  ["lzma", 5],
  ["hdf5", 8],
  ["netcdf3", 4],
  ["tiff", 4],
  ["grib", 4],
  ["png", 8],
  ["jpeg", 3],
  ["fits", 9],
  ["parquet", 4],
  ["zip", 4],
  ["pcodec", 4],
  ["pickle", 2],
]);

/** The part of the front that a hex view marks; `undefined` where nothing was recognised. */
export function signatureMark({ look, head }: Pick<StageReport, "look" | "head">) {
  const { name, label } = look?.signature ?? {};
  // Pieces of an HDF5 file have a name of four letters; the file itself begins with a byte that is none.
  const length = name === "hdf5" && head?.[0] !== 0x89 ? 4 : MAGIC_BYTES.get(name ?? "");
  return length === undefined || label === undefined ? undefined : { from: 0, to: length, title: label };
}

/** A line of the list of stages: a stage of the reading, or a codec that was not reached. */
export interface StageLine {
  readonly id: string;
  readonly label: string;
  readonly stage: StageReport | undefined;
}

/** The stages of a reading, and after one that failed the declared codecs that were not reached. */
export function stageLines(
  stages: readonly StageReport[],
  codecs: readonly Pick<CodecSummary, "id" | "label">[],
): readonly StageLine[] {
  const reached = stages.map((stage) => ({ id: stage.id, label: stage.label, stage }));
  const stored = { id: "stored", label: "stored bytes", stage: undefined };
  const rest = codecs.slice(Math.max(0, stages.length - 1)).map(({ id, label }) => ({ id, label, stage: undefined }));
  return [...(reached.length === 0 ? [stored] : reached), ...rest];
}
