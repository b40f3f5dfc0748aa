/** The members of an array's metadata, as sentences call them. */
export const MEMBER_NAMES = {
  dimensions: "dimensions",
  shape: "shape",
  dtype: "data type",
  "byte-order": "byte order",
  chunks: "chunk shape",
  shards: "shard shape",
  codecs: "codecs",
  level: "compression level",
  fill: "fill value",
  missing: "missing values",
  sign: "type that values are read as",
  scale_factor: "scale_factor",
  add_offset: "add_offset",
  units: "units",
  calendar: "calendar",
} as const;

export type MetadataMember = keyof typeof MEMBER_NAMES;
