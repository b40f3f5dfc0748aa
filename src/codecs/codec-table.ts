/** Facts of codecs for reading metadata: fetched only if there are lists of codecs to judge. */
import { NO_CODECS, type CodecTable } from "../core/metadata/codec-table.ts";

/** Zarr v2 has no rules about which codecs may follow each other. */
export async function codecTableFor(documents: Iterable<{ readonly key: string }>): Promise<CodecTable> {
  for (const { key } of documents) {
    if (key.endsWith("zarr.json")) return codecTable();
  }
  return NO_CODECS;
}

/** For all codecs. */
export async function codecTable(): Promise<CodecTable> {
  const { codecTraits } = await import("./find-codec.ts");
  return codecTraits;
}
