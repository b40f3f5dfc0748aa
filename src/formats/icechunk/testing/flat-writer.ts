/** For tests: whole files of Icechunk, sound or not, from plain data. */
import { flatBuffer, type FlatNode, type FlatValue, table, tables, bytesOf } from "../write/flat-builder.ts";

export { bytesOf, flatBuffer, type FlatNode, type FlatValue, table, tables, text, u32, u64, u8 } from "../write/flat-builder.ts"; // prettier-ignore

export const coordinates = (...cells: readonly number[]): FlatValue =>
  bytesOf(new Uint8Array(Uint32Array.from(cells).buffer), 4);

export const struct = (...bytes: readonly number[]): FlatValue => ({ struct: Uint8Array.from(bytes) });

export interface HeaderParts {
  readonly type: number;
  readonly format?: number;
  readonly writer?: string;
  readonly compression?: number;
}

export function icechunkFile(
  body: Uint8Array,
  { type, format = 2, writer = "someone-1.2", compression = 0 }: HeaderParts,
) {
  const magic = Buffer.from("ICE🧊CHUNK");
  return Buffer.concat([magic, Buffer.from(writer.padEnd(24)), Buffer.from([format, type, compression]), body]);
}

export const id12 = (byte: number): FlatValue => ({ struct: new Uint8Array(12).fill(byte) });
export const id8 = (byte: number): FlatValue => ({ struct: new Uint8Array(8).fill(byte) });

/** A manifest of one array, whose node id is eight bytes of 7: "0W3GE1R70W3GE". */
export function manifestFile(refs: readonly FlatNode[], dictionary?: Uint8Array): Uint8Array {
  const root = table(
    id12(1),
    tables([table(id8(7), tables(refs))]),
    dictionary === undefined ? undefined : bytesOf(dictionary),
  );
  return icechunkFile(flatBuffer(root), { type: 2 });
}
