/** Data types of array elements, as NumPy's array protocol (Zarr v2 §"Data type encoding") and Zarr v3 name them. */

export type ByteOrder = "little" | "big" | "none";

export interface ScalarType {
  readonly kind:
    | "bool"
    | "int"
    | "uint"
    | "float"
    | "complex"
    /** `S`: bytes, NUL-padded. */
    | "bytes"
    /** `U`: UTF-32 code units, NUL-padded; `itemSize` is 4 times the number of characters. */
    | "unicode"
    /** `V`: raw bytes. */
    | "void"
    | "datetime"
    | "timedelta";
  readonly itemSize: number;
  readonly byteOrder: ByteOrder;
  /** For datetime and timedelta: `ns`, `D`, `25s`. */
  readonly unit?: string;
  /** As the metadata spells it: `<i2`. */
  readonly text: string;
}

/** `|O`: elements of any size, which a codec makes (vlen-utf8, json2, …). */
export interface ObjectType {
  readonly kind: "object";
  readonly itemSize: 0;
  readonly byteOrder: "none";
  readonly text: string;
}

export interface StructuredField {
  readonly name: string;
  readonly offset: number;
  readonly type: DataType;
  /** Shape of a sub-array field; absent for one element. */
  readonly shape?: readonly number[];
}

export interface StructuredType {
  readonly kind: "structured";
  readonly itemSize: number;
  readonly byteOrder: "none";
  readonly fields: readonly StructuredField[];
  readonly text: string;
}

export type DataType = ScalarType | ObjectType | StructuredType;
