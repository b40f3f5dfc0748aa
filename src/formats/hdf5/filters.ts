/** HDF5's filters as numcodecs' codecs. */
import type { Filter } from "./messages.ts";

export interface Encoding {
  /** Codecs as `.zarray` lists them, in order of encoding; JSON text each. */
  readonly codecs: readonly string[];
  /** A checksum that is cut off the end of each chunk, rather than checked: readers of Zarr need no codec for it. */
  readonly cut: number;
  /** A filter that has no codec, in HDF5's words. */
  readonly unknown: string | undefined;
}

const SHUFFLE = 2;
const FLETCHER32 = 3;
/** Leaves a rest, as numcodecs' shuffle does not. */
export const HDF5_SHUFFLE = "hdf5_shuffle";
/** Bytes of the checksum. */
const FLETCHER32_BYTES = 4;

/** `size`: bytes of an element; `chunkBytes`: of a chunk. */
export function encodingOf(filters: readonly Filter[], size: number, chunkBytes: number): Encoding {
  const cuts = filters.at(-1)?.id === FLETCHER32;
  const codecs: string[] = [];
  // Bytes that the next filter is given; `undefined` where they go by the values.
  let given: number | undefined = chunkBytes;
  for (const filter of cuts ? filters.slice(0, -1) : filters) {
    const made = codecOf(filter, size);
    if (made === undefined)
      return { codecs: [], cut: 0, unknown: FILTER_NAMES.get(filter.id) ?? `filter ${filter.id}` };
    const { elementsize } = made;
    const leaves =
      filter.id === SHUFFLE && elementsize !== undefined && (given === undefined || given % elementsize > 0);
    codecs.push(JSON.stringify(leaves ? { ...made, id: HDF5_SHUFFLE } : made));
    if (filter.id === FLETCHER32) given &&= given + FLETCHER32_BYTES;
    else if (filter.id !== SHUFFLE) given = undefined;
  }
  return { codecs, cut: cuts ? FLETCHER32_BYTES : 0, unknown: undefined };
}

const BLOSC = ["blosclz", "lz4", "lz4hc", "snappy", "zlib", "zstd"];

type NamedCodec = { readonly id: string; readonly elementsize?: number } & Readonly<Record<string, unknown>>;

/**
 * Registered numbers of filters: https://github.com/HDFGroup/hdf5_plugins/blob/master/docs/RegisteredFilterPlugins.md
 */
function codecOf({ id, values }: Filter, size: number): NamedCodec | undefined {
  const value = (at: number): number => values[at] ?? 0;
  switch (id) {
    case 1:
      return { id: "zlib", level: value(0) };
    case 2:
      return { elementsize: values[0] ?? size, id: "shuffle" };
    case 3:
      return { id: "fletcher32" };
    case 4:
      return {
        bits_per_pixel: value(2),
        header: true,
        id: "imagecodecs_szip",
        options_mask: value(0),
        pixels_per_block: value(1),
        pixels_per_scanline: value(3),
      };
    case 5:
      return { id: "hdf5_nbit", parameters: values };
    case 6:
      return { id: "hdf5_scaleoffset", parameters: values };
    case 307:
      return { id: "bz2", level: values[0] ?? 9 };
    case 32000:
      return { header: false, id: "imagecodecs_lzf" };
    case 32001:
      return {
        blocksize: value(3),
        clevel: values[4] ?? 5,
        cname: BLOSC[value(6)] ?? "blosclz",
        id: "blosc",
        shuffle: value(5),
      };
    case 32004:
      return { id: "imagecodecs_lz4h5" };
    case 32008:
      return bitshuffleOf(values[2] ?? size, value(3), value(4));
    case 32015:
      return { id: "zstd", level: values[0] ?? 3 };
    default:
      return undefined;
  }
}

/** The library has these two compressors; any other is unknown. */
function bitshuffleOf(size: number, block: number, compression: number): NamedCodec | undefined {
  if (compression === 0) return { blocksize: block, id: "imagecodecs_bitshuffle", itemsize: size };
  const name = compression === 2 ? "lz4" : compression === 3 ? "zstd" : undefined;
  return name === undefined ? undefined : { compression: name, elementsize: size, id: "hdf5_bitshuffle" };
}

const FILTER_NAMES: ReadonlyMap<number, string> = new Map([
  [32008, "bitshuffle with another compressor"],
  [32013, "ZFP"],
  [32017, "SZ"],
  [32018, "FCIDECOMP"],
  [32022, "Granular BitRound"],
  [32023, "SZ3"],
  [32026, "Blosc2"],
  [32028, "SPERR"],
]);
