/** What of an array's metadata readers differ in. */
import type { ArrayMetadata, CodecConfiguration } from "../../../core/array-metadata.ts";
import { chunkKey } from "../../../core/chunk-grid.ts";
import type { DataType } from "../../../core/data-type.ts";
import type { ArrayNode } from "../../../core/hierarchy.ts";
import type { JsonValue } from "../../../core/json.ts";
import { ZARR_PYTHON_LACKS, ZARRITA_CODECS, type FeatureId } from "../../../core/readers/rules.ts";

export function arrayFeatures({ path, metadata }: ArrayNode, format: string): readonly FeatureId[] {
  const { zarrFormat, decoding, sharding, separator } = metadata;
  const indexCodecs = sharding?.indexCodecs ?? [];
  const has = (name: string) => decoding.some(({ id }) => nameOf(id) === name);
  const isBeside = has("sharding_indexed") && sharding === undefined;
  const found: readonly (readonly [FeatureId, boolean])[] = [
    ["root-array", path === ""],
    ["encoded-keys", format !== "zarr" && isEncoded(path, metadata)],
    ["sharding", sharding !== undefined || isBeside],
    ["sharding-in-references", format === "kerchunk-json" && sharding !== undefined],
    ["shard-index-start", sharding?.indexLocation === "start"],
    ["nested-shards", sharding !== undefined && has("sharding_indexed")],
    ["codecs-beside-sharding", isBeside],
    ["checksum-crc32c", [...decoding, ...indexCodecs].some(({ id }) => nameOf(id) === "crc32c")],
    ["codec-zarrita-lacks", decoding.some(({ id }) => !ZARRITA_CODECS.has(nameOf(id)))],
    ["shuffle-other-size", decoding.some((codec) => isOtherSize(codec, metadata.dataType))],
    ["json2-dimensions", has("json2") && metadata.shape.length > 1],
    ["delta-astype", decoding.some((codec) => isCast(codec, metadata.dataType))],
    ["big-endian-offset", decoding.some((codec) => isBigEndian(codec, metadata.dataType))],
    ["type-zarrita-lacks", !isTypeOfZarrita(metadata.dataType)],
    ["type-zarr-python-lacks", zarrFormat === 3 && !isTypeOfZarrPython(metadata.dataType)],
    ["codec-zarr-python-lacks", zarrFormat === 3 && decoding.some(({ id }) => ZARR_PYTHON_LACKS.has(id))],
    ["chunky-codec", has("ChunkyCodec")],
    [
      "chunky-delta-big",
      has("HorizontalDeltaCodec") && decoding.some((codec) => isBigChunky(codec, metadata.dataType)),
    ],
    ["null-fill-64", isLong(metadata.dataType) && metadata.fillValue === null],
    ["fill-beyond-double", isBeyondDouble(metadata.fillValue)],
    ["storage-transformers", (metadata.storageTransformers ?? []).length > 0],
    ["rectilinear-grid", metadata.isRectilinear === true],
    ["numcodecs-in-v3", zarrFormat === 3 && decoding.some(({ id }) => id.startsWith("numcodecs."))],
    ["slash-keys-in-parquet", format === "kerchunk-parquet" && separator.endsWith("/") && metadata.shape.length > 1],
  ];
  return found.filter(([, isThere]) => isThere).map(([feature]) => feature);
}

const nameOf = (id: string): string => id.replace(/^numcodecs\./, "");

/** By what zarrita does with a key: it makes a URL of it, and takes the key from that. */
function isEncoded(path: string, { separator, shape }: ArrayMetadata): boolean {
  const first = shape.map(() => 0);
  const key = chunkKey(path, first, separator);
  try {
    return new URL(key, "https://ref.invalid/").pathname.slice(1) !== key;
  } catch {
    return true;
  }
}

function isOtherSize({ id, configuration }: CodecConfiguration, type: DataType): boolean {
  const size = configuration.get("elementsize");
  return nameOf(id) === "shuffle" && "itemSize" in type && typeof size === "number" && size !== type.itemSize;
}

function isCast({ id, configuration }: CodecConfiguration, type: DataType): boolean {
  const [from, to] = [configuration.get("dtype"), configuration.get("astype")];
  if (nameOf(id) !== "delta" || typeof to !== "string") return false;
  return to !== (typeof from === "string" ? from : type.text);
}

function isBigEndian({ id, configuration }: CodecConfiguration, type: DataType): boolean {
  const to = configuration.get("astype");
  const isBig = typeof to === "string" && to.startsWith(">");
  return nameOf(id) === "fixedscaleoffset" && isBig && !type.text.startsWith(">");
}

/** Booleans, integers, floats up to 64 bits, texts and bytes of one size, and objects. */
function isTypeOfZarrita(type: DataType): boolean {
  switch (type.kind) {
    case "bool":
    case "int":
    case "uint":
    case "bytes":
    case "unicode":
    case "object":
      return true;
    case "float":
      return type.itemSize <= 8;
    case "complex":
    case "datetime":
    case "timedelta":
    case "void":
    case "narrow":
    case "structured":
      return false;
  }
}

const isBigChunky = ({ id, configuration }: CodecConfiguration, { itemSize }: DataType): boolean =>
  id === "ChunkyCodec" && configuration.get("endian") === "big" && itemSize > 1;

/** All that NumPy has, and text and bytes of any length. */
function isTypeOfZarrPython(type: DataType): boolean {
  if (type.kind === "structured") return type.fields.every((field) => isTypeOfZarrPython(field.type));
  if (type.kind === "object") return type.isUnknown !== true;
  // complex_float16, of which the bytes are shown, and other names of complex64 and complex128.
  return type.kind !== "narrow" && !/^complex(?:_|32$)/.test(type.text);
}

const isLong = (type: DataType): boolean => (type.kind === "int" || type.kind === "uint") && type.itemSize === 8;

const isBeyondDouble = (fill: JsonValue): boolean =>
  typeof fill === "bigint" && BigInt(Number(fill)) !== fill && fill !== 0n;
