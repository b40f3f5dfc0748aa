/** The selection as the part of the address after `#`. Never contains credentials. */
import { attempt } from "../core/basics.ts";
import type { SeenSpans, ShownSlice } from "../core/plane/plane.ts";
import { parseSelection, selectionText } from "../core/plane/selection.ts";
import { isLinkable, linkable } from "../core/words/without-secrets.ts";
import { type ViewName, viewNamed } from "./views.ts";

/** Tabs of the Chunk region. */
export const CHUNK_TABS = ["values", "request", "decode", "hex", "history"] as const;
export type ChunkTab = (typeof CHUNK_TABS)[number];

export interface Address {
  /** The dataset, as you would enter it; percent-encode `&`, `#`, `%`, `+` and `?` in it. */
  readonly url?: string;
  /** Which set of a document that holds several. */
  readonly set?: string;
  /** Branch, tag or snapshot of a repository: `NAME`, `branch:NAME`, `tag:NAME`, `snapshot:ID`; absent = `main`. */
  readonly ref?: string;
  /** Path of the selected group or array; absent or "" = the root. */
  readonly array?: string;
  /** Coordinates of the selected chunk: `0.0.1`. */
  readonly chunk?: readonly number[];
  /** `overview`, `check`, `sources`, `history`, `compare`, `data`, `chunks`, `metadata` or `edit`. */
  readonly view?: ViewName;
  /** The slice that Data shows, as a selection: `0,:,:`. */
  readonly slice?: string;
  /** The element that is looked at: its position in every dimension of the array. */
  readonly point?: readonly number[];
  /** The source that Sources shows, as references name it. */
  readonly target?: string;
  /** URL of the set that Compare compares with. */
  readonly with?: string;
  /** `raw`; absent = as xarray decodes them. */
  readonly values?: "raw";
  /** Tab of the chunk: `values`, `request`, `decode`, `hex` or `history`; absent if the chunk decides. */
  readonly tab?: ChunkTab;
}

const isTab = (text: string): text is ChunkTab => (CHUNK_TABS as readonly string[]).includes(text);

/**
 * Chunk coordinates from `0.3.1`; a scalar's only chunk is written `0` like a first chunk, the array's rank decides.
 */
function parseChunk(text: string): readonly number[] | undefined {
  const parts = text.split(/[./]/);
  if (!parts.every((part) => /^\d{1,15}$/.test(part))) return undefined;
  return parts.map(Number);
}

/** The view that shows a slice checks that it fits the array. */
const SLICE = /^[\d:,]{1,300}$/;

const POINT = /^\d{1,15}(?:,\d{1,15}){0,31}$/;

/** Longer ones are no addresses, but inline data in the wrong place. */
const MAX_TARGET = 2000;

/** From `2,31,59`. */
const parsePoint = (text: string): readonly number[] | undefined =>
  POINT.test(text) ? text.split(",").map(Number) : undefined;

export function parseAddress(hash: string): Address {
  const fields = new URLSearchParams(hash.replace(/^#/, ""));
  const view = viewNamed(fields.get("view") ?? "");
  const chunk = parseChunk(fields.get("chunk") ?? "");
  const url = fields.get("url");
  const set = fields.get("set");
  const ref = fields.get("ref");
  const array = fields.get("array");
  const slice = fields.get("slice");
  const point = parsePoint(fields.get("point") ?? "");
  const tab = fields.get("tab");
  const target = fields.get("target");
  const other = fields.get("with");
  return {
    ...(url === null || url === "" ? {} : { url }),
    ...(set === null ? {} : { set }),
    ...(ref === null || ref === "" ? {} : { ref }),
    ...(array === null ? {} : { array }),
    ...(chunk === undefined ? {} : { chunk }),
    ...(view === undefined ? {} : { view }),
    ...(slice === null || !SLICE.test(slice) ? {} : { slice }),
    ...(point === undefined ? {} : { point }),
    ...(fields.get("values") === "raw" ? { values: "raw" as const } : {}),
    ...(target === null || target.length > MAX_TARGET ? {} : { target }),
    ...(other === null || other.length > MAX_TARGET ? {} : { with: other }),
    ...(tab === null || !isTab(tab) ? {} : { tab }),
  };
}

/** True if the target may be in a link: it gives access to nothing. */
const isShareable = (target: string): boolean => target.length <= MAX_TARGET && isLinkable(target);

/** Percent-encodes only what would be misread, so that a link stays legible. */
function encode(text: string): string {
  return encodeURIComponent(text).replaceAll("%2F", "/").replaceAll("%3A", ":").replaceAll("%40", "@");
}

export function formatAddress(address: Address): string {
  const parts: string[] = [];
  if (address.url !== undefined) parts.push(`url=${encode(linkable(address.url))}`);
  if (address.set !== undefined) parts.push(`set=${encode(address.set)}`);
  if (address.ref !== undefined) parts.push(`ref=${encode(address.ref)}`);
  if (address.array !== undefined && address.array !== "") parts.push(`array=${encode(address.array)}`);
  if (address.chunk !== undefined) parts.push(`chunk=${address.chunk.length === 0 ? "0" : address.chunk.join(".")}`);
  if (address.view !== undefined) parts.push(`view=${address.view}`);
  if (address.slice !== undefined) parts.push(`slice=${address.slice}`);
  if (address.point !== undefined) parts.push(`point=${address.point.join(",")}`);
  if (address.values !== undefined) parts.push(`values=${address.values}`);
  if (address.target !== undefined && isShareable(address.target)) parts.push(`target=${encode(address.target)}`);
  if (address.with !== undefined && isShareable(address.with)) parts.push(`with=${encode(address.with)}`);
  if (address.tab !== undefined) parts.push(`tab=${address.tab}`);
  return parts.length === 0 ? "" : `#${parts.join("&")}`;
}

/**
 * A slice as NumPy indexes, `0,:,20:80`: which two dimensions are shown, where the others stand, and which part is seen.
 * `undefined` where the text is no slice of the array: it is not shown silently as another one.
 */
export function parseSlice(text: string, shape: readonly number[]): ShownSlice | undefined {
  const parts = attempt(() => parseSelection(text, shape));
  if (parts === undefined) return undefined;
  const open = parts.flatMap(({ dropped }, dimension) => (dropped ? [] : [dimension]));
  if (open.length > 2 || parts.some(({ count, step }) => count === 0 || step !== 1)) return undefined;
  const [row, column] = open.length === 2 ? open : [undefined, open[0]];
  const at = parts.map(({ dropped, start }) => (dropped ? start : 0));
  const seen: SeenSpans = new Map(
    parts.flatMap(({ dropped, start, count }, dimension) =>
      dropped || count === shape[dimension] ? [] : [[dimension, { from: start, to: start + count }] as const],
    ),
  );
  return { plane: { row, column, at }, seen, given: seen };
}

export function sliceText({ plane, seen }: Pick<ShownSlice, "plane" | "seen">, shape: readonly number[]): string {
  const { row, column, at } = plane;
  const parts = shape.map((length, dimension) => {
    if (dimension !== row && dimension !== column) {
      return { start: at[dimension] ?? 0, step: 1, count: 1, dropped: true };
    }
    const { from, to } = seen.get(dimension) ?? { from: 0, to: length };
    return { start: from, step: 1, count: to - from, dropped: false };
  });
  return selectionText(parts, shape);
}
