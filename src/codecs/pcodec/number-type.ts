/** The types of numbers, as the byte before each chunk names them. */

export type Width = 8 | 16 | 32 | 64;

export interface NumberType {
  readonly kind: "uint" | "int" | "float";
  /** Bits. */
  readonly width: Width;
}

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
