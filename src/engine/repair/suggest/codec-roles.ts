/** Facts about codecs that the search for repairs needs, by any of their names. */
import { findCodec, loadCodec, STREAMS } from "#codecs/find-codec.ts";
import { findSignature } from "#engine/looks/look.ts";

/** Checksums beside the data: 4 bytes, and nothing else. */
export const isChecksum = (id: string): boolean => findCodec(id)?.checksum !== undefined;

/** True if the codec makes a stream that has its own beginning and end. */
export const isCompressor = (id: string): boolean => findCodec(id)?.stream !== undefined;

/** True if decoding `input` compared a checksum. The checksum of zeros may be zero, and then proves nothing. */
export function verifies(id: string, input: Uint8Array): boolean {
  const { checksum, stream } = findCodec(id) ?? {};
  if (checksum !== undefined) return input.some((byte) => byte !== 0);
  const said = stream?.verifies ?? false;
  return typeof said === "boolean" ? said : said(input);
}

/** Codecs that turn values into others, or bytes about, and keep their number: switching them changes no size. */
export const keepsSize = (id: string): boolean => findCodec(id)?.keepsSize !== undefined;

/** Steps that cannot be missing from a list of Zarr v3: it has always one that makes bytes of an array. */
export function isRequired({ id }: { readonly id: string }, zarrFormat: 2 | 3): boolean {
  return zarrFormat === 3 && findCodec(id)?.kind === "array-bytes";
}

/** True if a stream of the codec may begin at `at`; `undefined` if its streams have no fixed beginning. */
export function mayBegin(id: string, bytes: Uint8Array, at: number): boolean | undefined {
  return findCodec(id)?.stream?.begins?.(bytes, at);
}

/** Codecs of Kerchunk and VirtualiZarr for whole messages and images, by the name of what the bytes look like. */
const WHOLE: ReadonlyMap<string, string> = new Map([
  ["grib", "grib"],
  ["jpeg", "imagecodecs_jpeg"],
]);

/** Codecs whose data the bytes begin with: compressors that can be put in anywhere, else those for images and messages. */
export function recognised(bytes: Uint8Array, expected: number): readonly string[] {
  const fits = STREAMS.filter(
    ({ stream: { begins, isLikely } }) => begins?.(bytes, 0) === true && isLikely?.(bytes, expected) !== false,
  );
  const whole = WHOLE.get(findSignature(bytes)?.name ?? "");
  const insertable = fits.filter(({ isInsertable }) => isInsertable);
  const ids = (insertable.length > 0 ? insertable : fits).map(({ id }) => id);
  return whole === undefined ? ids : [whole, ...ids];
}

/**
 * Bytes of the stream at the beginning of `bytes`, checksums and trailers included; `undefined` where the codec does not
 * say, or there is no whole stream. `limit` is the most bytes it may decode to.
 */
export async function streamEnd(
  id: string,
  bytes: Uint8Array<ArrayBuffer>,
  limit: number,
): Promise<number | undefined> {
  try {
    const end = (await loadCodec(id))?.streamEnd?.(bytes, limit);
    return end === undefined || end > bytes.length || end <= 0 ? undefined : end;
  } catch {
    // Damaged, or none at all: the decoder itself says why, when it is tried.
    return undefined;
  }
}
