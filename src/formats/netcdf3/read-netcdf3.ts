/** NetCDF-3 files as references, in the form that Kerchunk gives them where it is right (facts of 0.2.7, measured). */
import type { FileBytes } from "#core/file-bytes.ts";
import { failure, finding, type Finding } from "#core/findings/finding.ts";
import { nodeAt, targetAt } from "#core/findings/fact.ts";
import type { ChunkColumns, SourceArray, SourceFile } from "#core/source-file.ts";
import { fileFill, quotedNumber } from "#core/values/file-fill.ts";
import { type Attribute, type Header, readHeader, type Variable } from "./header.ts";

const LABELS = {
  1: "NetCDF-3, classic",
  2: "NetCDF-3, 64-bit offset (CDF-2)",
  5: "NetCDF-3, 64-bit data (CDF-5)",
} as const;

/** One for each record and variable; a column of them takes 8 bytes each. */
const MOST_REFERENCES = 20_000_000;

/** @throws RefscopeError where the header cannot be read: `data-file-damaged`, `data-file-too-large` */
export async function readNetcdf3(file: FileBytes): Promise<SourceFile> {
  const header = await readHeader(file);
  const layout = layoutOf(header, file.size);
  if (layout.present * layout.variables > MOST_REFERENCES)
    throw failure("data-file-too-large", targetAt(file.name), { limit: MOST_REFERENCES, what: "records" });
  const arrays = header.variables.map((variable) => arrayOf(variable, layout));
  return {
    label: LABELS[header.version],
    groups: [{ path: "", attributes: textsOf(header.attributes) }],
    arrays,
    findings: [...cutFindings(file, header, layout), ...kerchunkFindings(header, layout)],
    structures: [
      { offset: 0, length: header.length, kind: "header" },
      ...header.variables.map(({ name, entry }) => ({ ...entry, kind: "variable", path: name })),
    ],
  };
}

/** How records follow one another. */
interface Layout {
  readonly records: number;
  /** Those that begin inside the file: what a damaged header says may be anything. */
  readonly present: number;
  /** Bytes from one to the next. */
  readonly stride: number;
  /** Number of variables with records. */
  readonly variables: number;
}

const isRecord = ({ dimensions }: Variable): boolean => dimensions[0]?.length === 0;

/** Bytes of a record, or of all values. */
const bytesOf = ({ dimensions, type }: Variable): number =>
  dimensions.reduce((all, { length }) => all * Math.max(1, length), type.itemSize);

const padded = (length: number): number => Math.ceil(length / 4) * 4;

function layoutOf({ variables, records }: Header, size: number): Layout {
  const of = variables.filter(isRecord);
  const [only] = of;
  // A record of one variable alone is not padded.
  const stride =
    of.length === 1 && only !== undefined
      ? bytesOf(only)
      : of.reduce((sum, variable) => sum + padded(bytesOf(variable)), 0);
  if (stride === 0) return { records: records ?? 0, present: 0, stride, variables: 0 };
  const first = of.reduce((least, { begin }) => Math.min(least, begin), Infinity);
  const room = Math.max(0, size - first);
  const all = records ?? Math.floor(room / stride);
  return { records: all, present: Math.min(all, Math.ceil(room / stride)), stride, variables: of.length };
}

function arrayOf(variable: Variable, layout: Layout): SourceArray {
  const { name, dimensions, type, attributes, begin } = variable;
  const isOne = !isRecord(variable);
  const lengths = dimensions.map(({ length }) => length);
  const fill = attributes.find((one) => isFill(one, variable));
  const own = fill === undefined ? undefined : fillText(fill);
  return {
    path: name,
    // The library writes defaults and fill values itself: the file has no other word for what was never stored.
    ...fileFill({ attributes: textsOf(attributes), own, stored: undefined, isWhole: false, isDefault: true }),
    shape: isOne ? lengths : [layout.records, ...lengths.slice(1)],
    chunks: isOne ? lengths : [1, ...lengths.slice(1)],
    dtype: JSON.stringify(type.text),
    filters: [],
    dimensions: dimensions.map((one) => one.name),
    references: columnsOf(begin, bytesOf(variable), isOne ? 1 : layout.present, layout.stride),
    inline: new Map(),
  };
}

function columnsOf(begin: number, length: number, count: number, stride: number): ChunkColumns {
  return {
    count,
    ordinal: Float64Array.from({ length: count }, (_, record) => record),
    offset: Float64Array.from({ length: count }, (_, record) => begin + record * stride),
    length: new Float64Array(count).fill(length),
  };
}

const isFill = ({ name, type, values }: Attribute, variable: Variable): boolean =>
  name === "_FillValue" && type === variable.type && values.length === 1;

/** Zarr v2 writes a character in base64. */
function fillText({ type, values: [value = "null"] }: Attribute): string {
  if (type.kind !== "bytes") return quotedNumber(value);
  const text: string = JSON.parse(value);
  return JSON.stringify(btoa(String.fromCharCode(text.charCodeAt(0) & 0xff || 0)));
}

const textsOf = (attributes: readonly Attribute[]): ReadonlyMap<string, string> =>
  new Map(attributes.map((attribute) => [attribute.name, attributeText(attribute)]));

/** One value stands for itself. */
const attributeText = ({ values }: Attribute): string =>
  values.length === 1 ? `${values[0]}` : `[${values.join(",")}]`;

/** The last byte that a variable has, by the header. */
function cutFindings(file: FileBytes, { variables }: Header, { records, stride }: Layout): readonly Finding[] {
  const ends = variables.map((variable) => {
    if (!isRecord(variable)) return variable.begin + bytesOf(variable);
    return records === 0 ? 0 : variable.begin + (records - 1) * stride + bytesOf(variable);
  });
  const says = ends.reduce((most, end) => Math.max(most, end), 0);
  const { name, size } = file;
  return says <= size ? [] : [finding("data-file-cut", targetAt(name), { format: "NetCDF", says, size })];
}

// Differences from what Kerchunk writes.

function kerchunkFindings({ version, variables }: Header, layout: Layout): readonly Finding[] {
  if (version === 5) {
    const facts = { what: "format", kerchunk: "nothing, since it refuses the file", here: "CDF-5" } as const;
    return [finding("kerchunk-would-write", nodeAt(""), facts)];
  }
  return variables.flatMap((variable) => [...attributeFindings(variable), ...recordFindings(variable, layout)]);
}

function attributeFindings(variable: Variable): readonly Finding[] {
  const { name: path, attributes } = variable;
  const note = (what: "attribute" | "fill", kerchunk: string, here: string): Finding =>
    finding("kerchunk-would-write", nodeAt(path), { what, kerchunk, here });
  const fill = attributes.find((one) => isFill(one, variable));
  const missing = attributes.find(({ name }) => name === "missing_value");
  const number = attributes.find((one) => !KERCHUNK_KEEPS.has(one.name) && one.type.kind !== "bytes");
  const text = (one: typeof fill) => (one === undefined ? "null" : attributeText(one));
  const [here, there] = [text(fill), text(missing)];
  return [
    ...(missing === undefined || here === there ? [] : [note("fill", there, here)]),
    ...(number === undefined
      ? []
      : [note("attribute", `${number.name} as a string`, `${number.name} = ${attributeText(number)}`)]),
  ];
}

const KERCHUNK_KEEPS = new Set(["_FillValue", "missing_value", "scale_factor", "add_offset"]);

/** It divides what records take when padded by what they take. */
function recordFindings(variable: Variable, { records, variables }: Layout): readonly Finding[] {
  const length = bytesOf(variable);
  if (!isRecord(variable) || variables !== 1 || padded(length) === length) return [];
  const counted = Math.floor((records * padded(length)) / length);
  const facts = { what: "shape", kerchunk: `${counted} records`, here: `${records} records` } as const;
  return counted === records ? [] : [finding("kerchunk-would-write", nodeAt(variable.name), facts)];
}
