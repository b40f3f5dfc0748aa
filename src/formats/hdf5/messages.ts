/** Reads the messages of an object header (HDF5 File Format Specification 3.0, IV.A.2). */
import { Cursor, type Hdf5File } from "./hdf5-file.ts";
import { decoded, type Datatype, product, readDatatype, textOf } from "./datatype.ts";
import type { Message } from "./object-header.ts";

export interface Space {
  /** `undefined`: a null dataspace, which has no elements. */
  readonly shape: readonly number[] | undefined;
  /** Greatest length by dimension, `undefined` = unlimited. */
  readonly most: readonly (number | undefined)[];
}

const MOST_RANK = 32;

export function readSpace(fields: Cursor, L: number): Space {
  const [version, rank, flags] = [fields.u(1), fields.u(1), fields.u(1)];
  if (rank > MOST_RANK) fields.fail(`at most ${MOST_RANK} dimensions`, `${rank}`);
  const kind = version === 2 ? fields.u(1) : undefined;
  if (version === 1) fields.skip(5);
  else if (version !== 2) fields.fail("version 1 or 2", `version ${version}`);
  if (kind === 2) return { shape: undefined, most: [] };
  const shape = Array.from({ length: rank }, () => fields.u(L));
  if (shape.some((size) => !Number.isSafeInteger(size))) fields.fail("lengths below 2^53", `${Math.max(...shape)}`);
  return { shape, most: (flags & 1) === 0 ? shape : shape.map(() => fields.limit(L)) };
}

/** Bytes of the fill value; `undefined` where none is defined; an empty one is the library's default, zero. */
export function readFill(fields: Cursor, isOld: boolean): Uint8Array | undefined {
  if (isOld) return sizedFill(fields);
  const version = fields.u(1);
  if (version > 3) fields.fail("version 1, 2 or 3", `version ${version}`);
  if (version === 3) {
    const flags = fields.u(1);
    if ((flags & 0x10) !== 0) return undefined;
    return (flags & 0x20) === 0 ? new Uint8Array(0) : sizedFill(fields);
  }
  const isDefined = fields.skip(2).u(1) !== 0;
  return isDefined || version === 1 ? sizedFill(fields) : undefined;
}

/** A size of -1 says that none is defined. */
function sizedFill(fields: Cursor): Uint8Array | undefined {
  const size = fields.limit(4);
  return size === undefined ? undefined : fields.take(size);
}

export interface Filter {
  readonly id: number;
  readonly values: readonly number[];
}

export function readFilters(fields: Cursor): readonly Filter[] {
  const [version, count] = [fields.u(1), fields.u(1)];
  if (version !== 1 && version !== 2) fields.fail("version 1 or 2", `version ${version}`);
  if (version === 1) fields.skip(6);
  return Array.from({ length: count }, () => {
    const id = fields.u(2);
    const name = version === 1 || id >= 256 ? fields.u(2) : 0;
    const values = fields.skip(2).u(2);
    fields.skip(version === 1 ? Math.ceil(name / 8) * 8 : name);
    const filter = { id, values: Array.from({ length: values }, () => fields.u(4)) };
    if (version === 1 && values % 2 === 1) fields.skip(4);
    return filter;
  });
}

export type ChunkIndex = { readonly address: number | undefined } & (
  | { readonly kind: "btree1" | "implicit" | "fixed" | "extensible" | "btree2" }
  /** Stored size and mask, if the single chunk is filtered. */
  | { readonly kind: "single"; readonly stored?: number; readonly mask?: number }
);

export type Layout =
  | { readonly kind: "compact"; readonly bytes: Uint8Array }
  | { readonly kind: "contiguous"; readonly address: number | undefined; readonly length: number }
  | { readonly kind: "virtual" }
  | {
      readonly kind: "chunked";
      readonly chunks: readonly number[];
      readonly elementBytes: number;
      readonly index: ChunkIndex;
      /** Bytes of the stored size of a filtered chunk, in indexes other than B-trees of version 1. */
      readonly sizeBytes: number;
      /** Chunks that reach beyond the array are not filtered. */
      readonly plainEdges: boolean;
    };

const INDEXES = [undefined, "single", "implicit", "fixed", "extensible", "btree2"] as const;
/** Bytes of an index's parameters, by kind. */
const PARAMETERS = { btree1: 0, single: 0, implicit: 0, fixed: 1, extensible: 5, btree2: 6 };

export function readLayout(fields: Cursor, { O, L }: Hdf5File): Layout {
  const version = fields.u(1);
  if (version < 1 || version > 5) fields.fail("version 1 to 5", `version ${version}`);
  if (version < 3) return oldLayout(fields, O);
  const kind = fields.u(1);
  if (kind === 0) return { kind: "compact", bytes: fields.take(fields.u(2)) };
  if (kind === 1) return { kind: "contiguous", address: fields.limit(O), length: fields.u(L) };
  if (kind === 3) return { kind: "virtual" };
  if (kind !== 2) fields.fail("a layout that is compact, contiguous, chunked or virtual", `number ${kind}`);
  if (version === 3) {
    const rank = fields.u(1);
    const address = fields.limit(O);
    return chunkedLayout(fields, sizesOf(fields, rank, 4), { kind: "btree1", address });
  }
  const [flags, rank, width] = [fields.u(1), fields.u(1), fields.u(1)];
  const sizes = sizesOf(fields, rank, width);
  const index = INDEXES[fields.u(1)];
  if (index === undefined) return fields.fail("a chunk index that is known", "another");
  const whole = product(sizes);
  const sizeBytes =
    version === 4 ? Math.min(8, 1 + Math.floor((Math.floor(Math.log2(Math.max(1, whole))) + 8) / 8)) : L;
  const single = index === "single" && (flags & 2) !== 0 ? { stored: fields.u(L), mask: fields.u(4) } : {};
  fields.skip(PARAMETERS[index]);
  const made = { kind: index, address: fields.limit(O), ...single } as ChunkIndex;
  return { ...chunkedLayout(fields, sizes, made), sizeBytes, plainEdges: (flags & 1) !== 0 };
}

function oldLayout(fields: Cursor, O: number): Layout {
  const [rank, kind] = [fields.u(1), fields.u(1)];
  const address = kind === 0 ? undefined : fields.skip(5).limit(O);
  if (kind === 0) fields.skip(5);
  const sizes = sizesOf(fields, rank, 4);
  if (kind === 0) return { kind: "compact", bytes: fields.take(fields.u(4)) };
  if (kind === 1) return { kind: "contiguous", address, length: product(sizes) };
  if (kind !== 2) fields.fail("a layout that is compact, contiguous or chunked", `number ${kind}`);
  return chunkedLayout(fields, sizes, { kind: "btree1", address });
}

function sizesOf(fields: Cursor, rank: number, width: number): readonly number[] {
  if (rank > MOST_RANK + 1 || width < 1 || width > 8) fields.fail(`at most ${MOST_RANK} dimensions`, `${rank - 1}`);
  return Array.from({ length: rank }, () => fields.u(width));
}

/** The last size is the element's. */
function chunkedLayout(fields: Cursor, sizes: readonly number[], index: ChunkIndex) {
  const chunks = sizes.slice(0, -1);
  const elementBytes = sizes.at(-1) ?? 0;
  if (elementBytes < 1 || chunks.some((size) => size < 1))
    fields.fail("chunks of at least one element", sizes.join(" × "));
  return { kind: "chunked", chunks, elementBytes, index, sizeBytes: 4, plainEdges: false } as const;
}

export interface Attribute {
  readonly name: string;
  readonly type: Datatype;
  readonly space: Space;
  readonly bytes: Uint8Array;
  /** The name is not UTF-8, and was read as Latin-1. */
  readonly offset: number;
}

/** `shared`: bodies of shared messages are read beforehand by `unshare`. */
export async function readAttribute(
  file: Hdf5File,
  { body, offset }: Message,
  unshare: (type: number, body: Uint8Array) => Promise<Uint8Array>,
): Promise<Attribute> {
  const fields = new Cursor(file, "attribute", offset, body);
  const [version, flags] = [fields.u(1), fields.u(1)];
  if (version < 1 || version > 3) fields.fail("version 1, 2 or 3", `version ${version}`);
  const [nameBytes, typeBytes, spaceBytes] = [fields.u(2), fields.u(2), fields.u(2)];
  if (version === 3) fields.skip(1);
  const part = (size: number): Uint8Array => {
    const bytes = fields.take(size);
    if (version === 1) fields.skip(Math.min(fields.left, Math.ceil(size / 8) * 8 - size));
    return bytes;
  };
  const name = textOf(part(nameBytes));
  const [typeBody, spaceBody] = [part(typeBytes), part(spaceBytes)];
  const isShared = (bit: number): boolean => version > 1 && (flags & bit) !== 0;
  const type = readDatatype(
    new Cursor(file, "attribute's type", offset, isShared(1) ? await unshare(3, typeBody) : typeBody),
  );
  const space = readSpace(
    new Cursor(file, "attribute's dataspace", offset, isShared(2) ? await unshare(1, spaceBody) : spaceBody),
    file.L,
  );
  const length = space.shape === undefined ? 0 : product(space.shape) * type.size;
  return { name, type, space, bytes: fields.take(length), offset };
}

export type Link = { readonly name: string } & (
  | { readonly kind: "hard"; readonly address: number }
  | { readonly kind: "soft"; readonly path: string }
  | { readonly kind: "external"; readonly file: string; readonly path: string }
);

export function readLink(fields: Cursor, O: number): Link {
  const flags = fields.skip(1).u(1);
  const kind = (flags & 8) === 0 ? 0 : fields.u(1);
  if ((flags & 4) !== 0) fields.skip(8);
  if ((flags & 16) !== 0) fields.skip(1);
  const name = decoded(fields.take(fields.u(1 << (flags & 3)))).text;
  if (kind === 0) return { kind: "hard", name, address: fields.u(O) };
  const value = fields.take(fields.u(2));
  if (kind === 1) return { kind: "soft", name, path: decoded(value).text };
  const [of = "", path = ""] = decoded(value.subarray(1)).text.split("\0");
  return { kind: "external", name, file: of, path };
}
