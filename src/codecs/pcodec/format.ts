/** Types of numbers, numbers on their way and errors: common to all parts of pcodec. */
import type { RefscopeError } from "#core/findings/finding.ts";
import { decodeFailed } from "../codec.ts";

/** The name that errors give the codec. */
export const CODEC = "pcodec";

/** `section`: the part of the file. */
export function invalid(expected: string, found: string, section?: string): RefscopeError {
  return decodeFailed(CODEC, expected, found, section);
}

export type Width = 8 | 16 | 32 | 64;

export interface NumberType {
  readonly kind: "uint" | "int" | "float";
  /** Bits. */
  readonly width: Width;
}

/** The types of numbers, as the byte before each chunk names them. */
export const NUMBER_TYPES: ReadonlyMap<number, NumberType> = new Map([
  [1, { kind: "uint", width: 32 }],
  [2, { kind: "uint", width: 64 }],
  [3, { kind: "int", width: 32 }],
  [4, { kind: "int", width: 64 }],
  [5, { kind: "float", width: 32 }],
  [6, { kind: "float", width: 64 }],
  [7, { kind: "uint", width: 16 }],
  [8, { kind: "int", width: 16 }],
  [9, { kind: "float", width: 16 }],
  [10, { kind: "uint", width: 8 }],
  [11, { kind: "int", width: 8 }],
]);

export const typeName = ({ kind, width }: NumberType): string => `${kind}${width}`;

/** Numbers that are decoded at once. */
export const BATCH = 256;

/**
 * Numbers on their way: unsigned integers of the width of the number type, in the order of the numbers they represent. A batch of them. Of narrower ones than 32 bits the bits above are arbitrary; `hi` is used for 64 bits only.
 */
export interface Latents {
  readonly lo: Int32Array<ArrayBuffer>;
  readonly hi: Int32Array<ArrayBuffer>;
}

export const newLatents = (): Latents => ({ lo: new Int32Array(BATCH), hi: new Int32Array(BATCH) });
