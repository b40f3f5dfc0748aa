/** Data types of array elements, as NumPy's array protocol (Zarr v2 §"Data type encoding") and Zarr v3 name them. */

export type ByteOrder = "little" | "big" | "none";

export interface ScalarType {
  readonly kind:
    | "bool"
    | "int"
    | "uint"
    | "float"
    | "complex"
    /** Numbers that NumPy has no type for, by their name in `text`: bfloat16, float8_e4m3, int4 (core/narrow-number.ts). */
    | "narrow"
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
  /** Name as the metadata spells it: `<i2`, `int16`; shortened if Zarr v3 writes an object: `numpy.datetime64[ns]`. */
  readonly text: string;
}

/**
 * Elements of any size, which a codec makes (vlen-utf8, json2, …): `|O`, in Zarr v3 `string` and `bytes`. Types that are
 * not known stand here too, by their name.
 */
export interface ObjectType {
  readonly kind: "object";
  readonly itemSize: 0;
  readonly byteOrder: "none";
  readonly text: string;
  /** Its name is none that is known: nothing says what its elements are, nor how many bytes they have. */
  readonly isUnknown?: true;
  /** Each element is a record, some of whose fields are objects: as the metadata declare it. */
  readonly record?: StructuredType;
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

/** Structures with objects in them have no bytes of their own either. */
export function holdsObjects(type: DataType): boolean {
  return (
    type.kind === "object" || (type.kind === "structured" && type.fields.some((field) => holdsObjects(field.type)))
  );
}

/** Largest element, in bytes: NumPy keeps an item's size in 31 bits. */
export const MAX_ITEM_BYTES = 2 ** 31 - 1;

const NUMERIC: ReadonlySet<string> = new Set<DataType["kind"]>(["bool", "int", "uint", "float", "narrow"]);

/** True if elements are plain numbers, of 8 bytes at most. */
export const hasNumbers = ({ kind, itemSize }: DataType): boolean => NUMERIC.has(kind) && itemSize <= 8;

/** Each kind's name for people, its letter in NumPy's array protocol, and the bytes an element may have, if not any. */
export const SCALARS: Readonly<
  Record<ScalarType["kind"], { readonly name: string; readonly letter: string; readonly sizes?: readonly number[] }>
> = {
  bool: { name: "bool", letter: "b", sizes: [1] },
  int: { name: "int", letter: "i", sizes: [1, 2, 4, 8] },
  uint: { name: "uint", letter: "u", sizes: [1, 2, 4, 8] },
  float: { name: "float", letter: "f", sizes: [2, 4, 8, 16] },
  complex: { name: "complex", letter: "c", sizes: [8, 16, 32] },
  // NumPy's letter for the types of ml_dtypes.
  narrow: { name: "", letter: "V" },
  bytes: { name: "bytes", letter: "S" },
  unicode: { name: "text", letter: "U" },
  void: { name: "raw bytes", letter: "V" },
  datetime: { name: "datetime64", letter: "M", sizes: [8] },
  timedelta: { name: "timedelta64", letter: "m", sizes: [8] },
};

/** For people: "int16, little-endian", "bytes, 5 long", "structure of 12 bytes (a: uint8, b: float64, big-endian)". */
export function dataTypeLabel(type: DataType): string {
  if (type.kind === "object") return objectLabel(type.text);
  if (type.kind === "structured") {
    const fields = type.fields.map((field) => `${field.name}: ${dataTypeLabel(field.type)}${shapeLabel(field)}`);
    return `structure of ${type.itemSize} bytes (${fields.join("; ")})`;
  }
  return type.byteOrder === "none" ? scalarLabel(type) : `${scalarLabel(type)}, ${type.byteOrder}-endian`;
}

function objectLabel(text: string): string {
  if (/^(?:[|<>=]?O8?|object_?)$/.test(text)) return "Python objects";
  if (text === "string" || text === "variable_length_utf8") return "text of any length";
  if (text === "bytes" || text === "variable_length_bytes") return "bytes of any length";
  return `${text.slice(0, 80)}, not decoded`;
}

function scalarLabel(type: ScalarType): string {
  const { name } = SCALARS[type.kind];
  if (type.kind === "narrow") return type.text;
  // Numbers of Zarr v3 that are kept as bytes: complex_float16, complex_bfloat16.
  if (type.kind === "void" && type.text.startsWith("complex")) return `${type.text}, not decoded`;
  if (type.kind === "bool") return name;
  if (type.kind === "bytes" || type.kind === "void") return `${name}, ${type.itemSize} long`;
  // NumPy's long doubles: their bytes are shown.
  if ((type.kind === "float" && type.itemSize > 8) || (type.kind === "complex" && type.itemSize > 16)) {
    return `${name}${type.itemSize * 8}, not decoded`;
  }
  if (type.kind === "unicode") return `${name}, ${type.itemSize / 4} characters long`;
  if (type.kind === "datetime" || type.kind === "timedelta")
    return type.unit === undefined ? name : `${name}[${type.unit}]`;
  return name + String(type.itemSize * 8);
}

function shapeLabel(field: StructuredField): string {
  return field.shape === undefined ? "" : ` (${field.shape.join(" × ")} of them)`;
}

const ORDERS: Readonly<Record<ByteOrder, string>> = { little: "<", big: ">", none: "|" };

/** A scalar or object type as Zarr v2 §"Data type encoding" spells it, however the metadata did: `<i2`, `|O`. */
export function dataTypeTextV2(type: ScalarType | ObjectType): string {
  if (type.kind === "object") return "|O";
  const size = type.kind === "unicode" ? type.itemSize / 4 : type.itemSize;
  const unit = type.unit === undefined ? "" : `[${type.unit}]`;
  const order = type.kind === "narrow" ? "|" : ORDERS[type.byteOrder];
  return order + SCALARS[type.kind].letter + String(size) + unit;
}

/** A data type as people name it: `int16` for `<i2`. Others stay as the metadata spell them. */
const KINDS: Readonly<Record<string, string>> = { i: "int", u: "uint", f: "float", c: "complex" };

export function typeName(text: string): string {
  const [, letter = "", size = "", unit = ""] = /^[<>|=]([a-zA-Z])(\d+)(\[\w+\])?$/.exec(text) ?? [];
  if (letter === "b") return "bool";
  if (letter === "M" || letter === "m") return `${letter === "M" ? "datetime" : "timedelta"}64${unit}`;
  const kind = KINDS[letter];
  return kind === undefined ? text : `${kind}${Number(size) * 8}`;
}

/** With what readers do not see. */
export const typeWords = (text: string): string =>
  /^>[iufcMm](?!1$)/.test(text) ? `${typeName(text)}, big-endian` : typeName(text);
