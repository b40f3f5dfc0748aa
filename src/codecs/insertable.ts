/** Codecs that one may want to put into a chain by hand, each with a configuration to begin with. */
import type { CodecName } from "../core/lab.ts";
import { findCodec } from "./index.ts";

const INSERTABLE: readonly CodecName[] = [
  { id: "zlib", defaults: "{}", note: "Inflates a zlib stream, as HDF5's deflate filter writes it." },
  { id: "gzip", defaults: "{}", note: "Inflates gzip members." },
  { id: "zstd", defaults: "{}", note: "Decompresses Zstandard frames." },
  { id: "blosc", defaults: "{}", note: "Decompresses a Blosc buffer; its header says how." },
  { id: "lz4", defaults: "{}", note: "Decompresses an LZ4 block after its size, as numcodecs frames it." },
  { id: "bz2", defaults: "{}", note: "Decompresses bzip2." },
  { id: "lzma", defaults: "{}", note: "Decompresses xz." },
  { id: "shuffle", defaults: '{"elementsize":4}', note: "Puts the bytes of each element together again." },
  { id: "delta", defaults: '{"dtype":"<i4"}', note: "Adds up differences." },
  {
    id: "fixedscaleoffset",
    defaults: '{"offset":0,"scale":1,"dtype":"<f4","astype":"<i2"}',
    note: "Divides by scale and adds offset.",
  },
  { id: "astype", defaults: '{"encode_dtype":"<f4","decode_dtype":"<f8"}', note: "Turns elements into another type." },
  { id: "fletcher32", defaults: "{}", note: "Verifies HDF5's checksum in the last 4 bytes and takes it off." },
  { id: "crc32c", defaults: "{}", note: "Verifies a CRC-32C and takes it off." },
  { id: "crc32", defaults: "{}", note: "Verifies a CRC-32 and takes it off." },
  { id: "adler32", defaults: "{}", note: "Verifies an Adler-32 and takes it off." },
  { id: "jenkins_lookup3", defaults: "{}", note: "Verifies Jenkins' lookup3 checksum and takes it off." },
  { id: "packbits", defaults: "{}", note: "Makes a boolean of each bit." },
  { id: "base64", defaults: "{}", note: "Turns base64 text into bytes." },
  { id: "bytes", defaults: '{"endian":"little"}', note: "Zarr v3: says the byte order of the elements." },
  { id: "transpose", defaults: '{"order":[1,0]}', note: "Zarr v3: turns the chunk's dimensions." },
];

/** Those that can be decoded, in the order of a list to choose from. */
export function insertableCodecs(): readonly CodecName[] {
  return INSERTABLE.filter(({ id }) => findCodec(id) !== undefined);
}
