/** Hex views: how bytes are written, and how a byte cursor with a selection moves. */
import type { GridPress } from "../data-grid/DataGrid.tsx";

/** At least eight digits; more where the last offset needs them. */
export function offsetText(offset: number, total: number): string {
  const digits = Math.max(8, (Math.max(1, total) - 1).toString(16).length);
  return offset.toString(16).padStart(digits, "0");
}

export const byteText = (byte: number): string => byte.toString(16).padStart(2, "0");

/** Printable ASCII as itself, anything else as a dot. */
export const characterOf = (byte: number): string => (byte >= 0x20 && byte < 0x7f ? String.fromCodePoint(byte) : ".");

export type ByteClass = "zero" | "printable" | "other";

export function classOf(byte: number): ByteClass {
  if (byte === 0) return "zero";
  return byte >= 0x20 && byte < 0x7f ? "printable" : "other";
}

/** `78 5e ec`, for the clipboard. */
export const hexText = (bytes: Uint8Array): string => Array.from(bytes, byteText).join(" ");

/** Bytes of the element `window` that stands at `offset`, as far as the window has them. */
export interface ByteWindow {
  readonly from: number;
  readonly bytes: Uint8Array;
}

export function byteAt(window: ByteWindow | undefined, offset: number): number | undefined {
  return window === undefined || offset < window.from ? undefined : window.bytes[offset - window.from];
}

/** A decimal number (digits may be grouped) or `0x…`; `undefined` where it is neither or lies outside the bytes. */
export function parseOffset(text: string, total: number): number | undefined {
  const plain = text.trim().replaceAll(/[,_ ]/g, "");
  if (!/^(?:\d+|0x[\da-f]+)$/i.test(plain)) return undefined;
  const offset = Number(plain);
  return offset < total ? offset : undefined;
}

/** Bytes that mean something together; `to` excluded. */
export interface ByteMark {
  readonly from: number;
  readonly to: number;
  /** Title of the marked bytes. */
  readonly title: string;
}

export interface ByteSelection {
  /** Start of the selection; equal to `cursor` if one byte is selected. */
  readonly anchor: number;
  readonly cursor: number;
}

/** First and last selected byte. */
export function selectedRange({ anchor, cursor }: ByteSelection): { readonly from: number; readonly last: number } {
  return { from: Math.min(anchor, cursor), last: Math.max(anchor, cursor) };
}

export interface HexGeometry {
  readonly total: number;
  readonly bytesPerRow: number;
  readonly rowsPerPage: number;
}

/** Selection after a key; `undefined` if it does not move. Shift extends the selection. */
export function movedSelection(
  { key, ctrl, shift }: GridPress,
  selection: ByteSelection,
  { total, bytesPerRow, rowsPerPage }: HexGeometry,
): ByteSelection | undefined {
  const { cursor } = selection;
  const rowStart = cursor - (cursor % bytesPerRow);
  const page = bytesPerRow * rowsPerPage;
  const targets: ReadonlyMap<string, number> = new Map([
    ["ArrowLeft", cursor - 1],
    ["ArrowRight", cursor + 1],
    ["ArrowUp", cursor < bytesPerRow ? cursor : cursor - bytesPerRow],
    ["ArrowDown", cursor + bytesPerRow < total ? cursor + bytesPerRow : cursor],
    ["PageUp", cursor < page ? cursor % bytesPerRow : cursor - page],
    ["PageDown", cursor + page],
    ["Home", ctrl ? 0 : rowStart],
    ["End", ctrl ? total - 1 : rowStart + bytesPerRow - 1],
  ]);
  const target = targets.get(key);
  if (target === undefined) return undefined;
  const moved = Math.max(0, Math.min(target, total - 1));
  return { cursor: moved, anchor: shift ? selection.anchor : moved };
}

/** Bytes to ask for so that the rows seen, and a screen before and after, are there; aligned to save requests. */
export function windowFor(from: number, to: number, total: number): { readonly from: number; readonly to: number } {
  const STEP = 2048;
  const margin = Math.max(STEP, to - from);
  return {
    from: Math.max(0, Math.floor((from - margin) / STEP) * STEP),
    to: Math.min(total, Math.ceil((to + margin) / STEP) * STEP),
  };
}
