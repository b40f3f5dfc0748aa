/** Codecs that make bytes of bytes: compressors, checksums, images, filters that know no elements. */
import { adler32, crc32, crc32c, fletcher32 } from "./checksums/checksums.ts";
import type { CodecEntries } from "./codec.ts";
import { lookup3 } from "../core/lookup3.ts";
import { beginsBlosc, beginsWebp, beginsZlib, magic, word } from "./stream-start.ts";
import type { CodecField } from "../core/check/lab.ts";

/** The lab shows members of configurations as fields, with these among what it offers. */
const SIZES = ["1", "2", "4", "8", "12", "16"];
const TYPES = ["|i1", "|u1", "<i2", "<u2", "<i4", "<u4", "<i8", "<f4", "<f8", ">i2", ">i4", ">f4", ">f8"];

/** Bytes of an element. */
const sizeField = (name: string): CodecField => ({ name, kind: "number", often: SIZES });
export const numberField = (name: string): CodecField => ({ name, kind: "number", often: [] });
/** A data type as Zarr v2 writes it. */
export const typeField = (name: string): CodecField => ({ name, kind: "text", often: TYPES });
export const jsonField = (name: string): CodecField => ({ name, kind: "json", often: [] });
/** One of these and nothing else. */
export const choiceField = (name: string, often: readonly string[]): CodecField => ({
  name,
  kind: "text",
  often,
  only: true,
});

/** A bit of a frame's descriptor (RFC 8878 §3.1.1.1.1). */
const ZSTD_CHECKSUM = 4;

export const BYTE_CODECS: CodecEntries = {
  adler32: {
    names: { v3: ["numcodecs.adler32", "adler32"] },
    checksum: { name: "Adler-32", place: "start", sum: adler32 },
    insertable: "{}",
    words: "Verifies the checksum Adler-32 and takes it off.",
    load: async () => (await import("./checksums/checksum32.ts")).adler32,
  },
  base64: {
    words: "Turns base64 text into bytes.",
    insertable: "{}",
    load: async () => (await import("./objects/base64.ts")).base64,
  },
  blosc: {
    names: { v3: ["blosc", "numcodecs.blosc"], also: ["imagecodecs_blosc"] },
    words: "Decompresses a Blosc buffer; its header says how.",
    stream: {
      verifies: false,
      begins: beginsBlosc,
      isLikely: (bytes) => word(bytes, 12) <= bytes.length,
    },
    insertable: "{}",
    load: async () => (await import("./blosc/blosc.ts")).blosc,
  },
  bz2: {
    names: { v3: ["numcodecs.bz2", "bz2"], also: ["imagecodecs_bz2"] },
    words: "Decompresses bzip2.",
    stream: { verifies: true, begins: magic(0x42, 0x5a, 0x68) },
    insertable: "{}",
    load: async () => (await import("./bz2/stream.ts")).bz2,
  },
  crc32: {
    names: { v3: ["numcodecs.crc32"] },
    checksum: { name: "CRC-32", place: "start", sum: crc32 },
    insertable: "{}",
    words: "Verifies the checksum CRC-32 and takes it off.",
    load: async () => (await import("./checksums/checksum32.ts")).crc32,
  },
  crc32c: {
    names: { v3: ["crc32c", "numcodecs.crc32c"] },
    checksum: { name: "CRC-32C", place: "end", sum: crc32c },
    insertable: "{}",
    words: "Verifies the checksum CRC-32C and takes it off.",
    load: async () => (await import("./checksums/checksum32.ts")).crc32c,
  },
  deflate: {
    words: "Inflates a member of a zip archive.",
    stream: { verifies: false },
    load: async () => (await import("./deflate/deflate.ts")).deflate,
  },
  fletcher32: {
    names: { v3: ["numcodecs.fletcher32", "fletcher32"] },
    words: "Verifies HDF5's checksum in the last 4 bytes and takes it off.",
    checksum: { name: "Fletcher-32", place: "end", sum: fletcher32 },
    insertable: "{}",
    load: async () => (await import("./checksums/checksum32.ts")).fletcher32,
  },
  grib: {
    words: "Reads the values of a GRIB message, as eccodes does.",
    python: [{ name: "kerchunk" }, { name: "eccodes" }],
    load: async () => (await import("./grib.ts")).grib,
  },
  "gribscan.rawgrib": {
    names: { v3: ["numcodecs.gribscan.rawgrib"] },
    words: "Reads the values of a GRIB message, as eccodes does; a missing one is 9999.",
    python: [{ name: "gribscan", registeredBy: { module: "gribscan" } }],
    load: async () => (await import("./grib.ts")).gribscanRaw,
  },
  gzip: {
    names: { v3: ["gzip", "numcodecs.gzip"] },
    words: "Inflates gzip members.",
    stream: { verifies: true, begins: magic(0x1f, 0x8b, 8) },
    insertable: "{}",
    load: async () => (await import("./deflate/gzip.ts")).gzip,
  },
  hdf5_bitshuffle: {
    words: "Decompresses blocks and puts bits together, as HDF5's filter bitshuffle does.",
    stream: { verifies: false },
    fields: [sizeField("elementsize"), choiceField("compression", ["lz4", "zstd"])],
    load: async () => (await import("./blosc/bitshuffle.ts")).hdf5Bitshuffle,
  },
  hdf5_nbit: {
    words: "Unpacks the bits that each number uses, as HDF5's filter nbit does.",
    fields: [jsonField("parameters")],
    load: async () => (await import("./hdf5/nbit.ts")).hdf5Nbit,
  },
  hdf5_scaleoffset: {
    words: "Unpacks numbers and adds the least of them, as HDF5's filter scaleoffset does.",
    fields: [jsonField("parameters")],
    load: async () => (await import("./hdf5/scale-offset.ts")).hdf5ScaleOffset,
  },
  hdf5_shuffle: {
    words: "Puts the bytes of each element together again; what is left over stays, as in HDF5.",
    keepsSize: "usual",
    fields: [sizeField("elementsize")],
    load: async () => (await import("./blosc/shuffle.ts")).hdf5Shuffle,
  },
  imagecodecs_bitshuffle: {
    words: "Puts the bits of each element together again.",
    keepsSize: "usual",
    fields: [sizeField("itemsize"), numberField("blocksize")],
    load: async () => (await import("./blosc/bitshuffle.ts")).imagecodecsBitshuffle,
  },
  imagecodecs_deflate: {
    words: "Inflates a zlib stream, or DEFLATE alone.",
    stream: { verifies: true, begins: beginsZlib },
    load: async () => (await import("./deflate/deflate.ts")).imagecodecsDeflate,
  },
  imagecodecs_jpeg: {
    words: "Decodes a JPEG image.",
    load: async () => (await import("./jpeg/decode.ts")).imagecodecsJpeg,
  },
  imagecodecs_jpeg2k: {
    words: "Decodes a JPEG 2000 image.",
    stream: { verifies: false, begins: magic(0xff, 0x4f, 0xff, 0x51) },
    load: async () => (await import("./jpeg2000/image-bytes.ts")).imagecodecsJpeg2k,
  },
  imagecodecs_jpeg8: {
    words: "Decodes a JPEG image.",
    load: async () => (await import("./jpeg/decode.ts")).imagecodecsJpeg8,
  },
  imagecodecs_lerc: {
    words: "Decompresses LERC, Esri's compression of rasters.",
    stream: { verifies: true, begins: magic(0x4c, 0x65, 0x72, 0x63, 0x32, 0x20) },
    load: async () => (await import("./lerc/decode.ts")).imagecodecsLerc,
  },
  imagecodecs_lz4: {
    words: "Decompresses an LZ4 block.",
    stream: { verifies: false },
    load: async () => (await import("./lz/imagecodecs-lz4.ts")).imagecodecsLz4,
  },
  imagecodecs_lz4h5: {
    words: "Decompresses LZ4 blocks as HDF5's filter frames them.",
    stream: { verifies: false },
    load: async () => (await import("./lz/imagecodecs-lz4.ts")).imagecodecsLz4h5,
  },
  imagecodecs_lzf: {
    words: "Decompresses LZF, as HDF5's filter of h5py does.",
    stream: { verifies: false },
    load: async () => (await import("./lz/lzf.ts")).imagecodecsLzf,
  },
  imagecodecs_lzma: {
    words: "Decompresses xz.",
    stream: { verifies: true, begins: magic(0xfd, 0x37, 0x7a, 0x58, 0x5a) },
    load: async () => (await import("./lzma/decode.ts")).imagecodecsLzma,
  },
  imagecodecs_lzw: {
    words: "Decompresses LZW, as TIFF has it.",
    stream: { verifies: false },
    load: async () => (await import("./lz/lzw.ts")).imagecodecsLzw,
  },
  imagecodecs_packbits: {
    words: "Decompresses runs of bytes, as TIFF has them.",
    stream: { verifies: false },
    load: async () => (await import("./lz/packbits.ts")).imagecodecsPackbits,
  },
  imagecodecs_png: {
    words: "Decodes a PNG image.",
    stream: { verifies: true, begins: magic(0x89, 0x50, 0x4e, 0x47) },
    load: async () => (await import("./png/decode.ts")).imagecodecsPng,
  },
  imagecodecs_snappy: {
    words: "Decompresses a Snappy block.",
    stream: { verifies: false },
    load: async () => (await import("./blosc/snappy.ts")).imagecodecsSnappy,
  },
  imagecodecs_szip: {
    words: "Decompresses SZIP, as HDF5's filter does.",
    stream: { verifies: false },
    fields: ["options_mask", "pixels_per_block", "bits_per_pixel", "pixels_per_scanline"].map(numberField),
    load: async () => (await import("./hdf5/szip.ts")).imagecodecsSzip,
  },
  imagecodecs_webp: {
    words: "Decodes a WebP image.",
    stream: { verifies: false, begins: beginsWebp },
    load: async () => (await import("./webp/decode.ts")).imagecodecsWebp,
  },
  jenkins_lookup3: {
    names: { v3: ["numcodecs.jenkins_lookup3"] },
    words: "Verifies Jenkins' lookup3 checksum and takes it off.",
    checksum: { name: "Jenkins lookup3", place: "end", sum: (data) => lookup3(data, 0) },
    insertable: "{}",
    load: async () => (await import("./checksums/checksum32.ts")).jenkinsLookup3,
  },
  lz4: {
    names: { v3: ["numcodecs.lz4"] },
    words: "Decompresses an LZ4 block after its size, as numcodecs frames it.",
    stream: {
      verifies: false,
      begins: (bytes, at) => word(bytes, at) > 0 && word(bytes, at) < 2 ** 31,
      isLikely: (bytes, expected) => word(bytes, 0) === expected,
    },
    insertable: "{}",
    load: async () => (await import("./lz/lz4.ts")).lz4,
  },
  lzma: {
    names: { v3: ["numcodecs.lzma"] },
    words: "Decompresses xz.",
    stream: { verifies: true, begins: magic(0xfd, 0x37, 0x7a, 0x58, 0x5a) },
    insertable: "{}",
    load: async () => (await import("./lzma/decode.ts")).lzma,
  },
  shuffle: {
    words: "Puts the bytes of each element together again.",
    keepsSize: "fixed",
    insertable: '{"elementsize":4}',
    fields: [sizeField("elementsize")],
    load: async () => (await import("./blosc/shuffle.ts")).shuffle,
    inZarr3: { load: async () => (await import("./blosc/shuffle.ts")).shuffleV3 },
  },
  zlib: {
    names: { v3: ["numcodecs.zlib", "zlib"], also: ["imagecodecs_zlib", "imagecodecs_zlibng", "imagecodecs_zopfli"] },
    words: "Inflates a zlib stream, as HDF5's deflate filter writes it.",
    stream: { verifies: true, begins: beginsZlib },
    insertable: "{}",
    load: async () => (await import("./deflate/zlib.ts")).zlib,
  },
  zstd: {
    names: { v3: ["zstd", "numcodecs.zstd"], also: ["imagecodecs_zstd"] },
    words: "Decompresses Zstandard frames.",
    stream: { verifies: (input) => ((input[4] ?? 0) & ZSTD_CHECKSUM) !== 0, begins: magic(0x28, 0xb5, 0x2f, 0xfd) },
    insertable: "{}",
    load: async () => (await import("./zstd/zstd.ts")).zstd,
  },
};
