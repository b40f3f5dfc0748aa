/** Item under the pointer, on the strip or the grid. */
import type { ByteSpan } from "./file-order.ts";

export type Hover =
  | { readonly kind: "chunk"; readonly inner: number }
  /** Bytes of no chunk: those of one pixel. */
  | { readonly kind: "bare"; readonly bytes: ByteSpan };

export function sameHover(a: Hover | undefined, b: Hover | undefined): boolean {
  if (a?.kind === "chunk" && b?.kind === "chunk") return a.inner === b.inner;
  if (a?.kind === "bare" && b?.kind === "bare") return a.bytes.from === b.bytes.from;
  return a === b;
}

/** Chunks to frame: the selected one, the one at the keyboard's cursor, the one under the pointer. */
export interface Marks {
  readonly selected: number | undefined;
  readonly cursor: number | undefined;
  readonly hovered: number | undefined;
}

export interface Marked {
  readonly inner: number;
  readonly token: "--ink" | "--focus";
}

export function markedChunks({ selected, cursor, hovered }: Marks): readonly Marked[] {
  const out: Marked[] = [];
  if (selected !== undefined) out.push({ inner: selected, token: "--ink" });
  if (hovered !== undefined && hovered !== selected) out.push({ inner: hovered, token: "--ink" });
  if (cursor !== undefined) out.push({ inner: cursor, token: "--focus" });
  return out;
}
