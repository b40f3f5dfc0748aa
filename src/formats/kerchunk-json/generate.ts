/**
 * The entries of `gen`, written as members of `refs` behind its last one and read by the same scanner: so a key that is
 * there already keeps its place and gets the new value, as with Python's `dict.update`. They pass through in pieces; no
 * text is kept.
 */
import type { CallContext } from "../../core/byte-source.ts";
import type { GeneratedEntry, Version1Renderer } from "../../core/version1.ts";
import { decodeString, skipKey, skipString, skipValue } from "./json-bytes.ts";
import type { GenRows } from "./origins.ts";
import { pacer } from "./pace.ts";
import type { ReferenceSet } from "./reference-set.ts";
import { isMetadataKey } from "./slots.ts";

/** Characters given to the scanner at once. */
const PIECE = 1 << 20;
/** A piece of slow entries is shorter: so many milliseconds, looked at after so many entries. */
const LONGEST_TURN = 40;
const LOOK_EVERY = 16;

/** `slash`: how the document writes a slash inside a URL, so that the same URL has the same bytes. */
export async function generateRows(
  set: ReferenceSet,
  renderer: Version1Renderer,
  slash: "/" | "\\/",
  context: CallContext,
): Promise<GenRows> {
  const piece = pieceWriter(set.scanner.rows, slash);
  const breathe = pacer(context);
  for (let from = 0, more = true; more && from < renderer.size;) {
    more = !renderer.generate(from, (entry, ordinal) => piece.take(entry, ordinal));
    from = piece.next();
    consume(set, piece.text(), piece.metadata());
    await breathe({ label: "Rendering gen", done: Math.min(from, renderer.size), total: renderer.size, unit: "rows" });
  }
  if (piece.rows() !== set.scanner.rows) throw new Error("A generated reference is no row of the table.");
  return piece.made;
}

/** Collects entries as JSON text until a piece is full, and notes which row each will be. */
function pieceWriter(firstRow: number, slash: "/" | "\\/") {
  const made = { firstRow, rows: [] as number[], ordinals: [] as number[] };
  let row = firstRow;
  let shift = NaN;
  let text = "";
  let metadata: number[] = [];
  let [last, count, started] = [-1, 0, 0];
  const isFull = () => text.length >= PIECE || (count % LOOK_EVERY === 0 && performance.now() - started > LONGEST_TURN);
  return {
    made,
    rows: () => row,
    next: () => last + 1,
    take(entry: GeneratedEntry, ordinal: number): boolean {
      if (text === "") started = performance.now();
      last = ordinal;
      count += 1;
      text += memberText(entry, slash);
      if (endsLikeMetadata(entry.key) && isMetadataKey(entry.key)) metadata.push(ordinal);
      else {
        if (ordinal - row !== shift) {
          shift = ordinal - row;
          made.rows.push(row);
          made.ordinals.push(ordinal);
        }
        row += 1;
      }
      return !isFull();
    },
    text(): string {
      const full = text;
      text = "";
      return full;
    },
    /** Ordinals of the piece's entries that are metadata, in their order. */
    metadata(): readonly number[] {
      const full = metadata;
      metadata = [];
      return full;
    },
  };
}

function memberText({ key, url, offset, length }: GeneratedEntry, slash: "/" | "\\/"): string {
  const target = slash === "/" ? quoted(url) : quoted(url).replaceAll("/", slash);
  return offset === undefined || length === undefined
    ? `,${quoted(key)}:[${target}]`
    : `,${quoted(key)}:[${target},${offset},${length}]`;
}

const PLAIN = /^[ !#-[\]-~]*$/;

export function quoted(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}

/** Nearly every key ends with a digit, which no name of a metadata document does. */
function endsLikeMetadata(key: string): boolean {
  return key.charCodeAt(key.length - 1) > 57;
}

const encoder = new TextEncoder();

function consume(set: ReferenceSet, text: string, metadata: readonly number[]): void {
  const { scanner } = set;
  const { written } = encoder.encodeInto(text, scanner.reserve(3 * text.length));
  scanner.commit(written);
  const ordinals = metadata.values();
  for (;;) {
    scanner.run(false);
    if (scanner.position >= scanner.end) return;
    takeMember(set, ordinals);
  }
}

/** One member that is not plain: its comma, key and value. */
function takeMember(set: ReferenceSet, ordinals: Iterator<number>): void {
  const { scanner } = set;
  const { bytes, end } = scanner;
  const at = scanner.position + 1;
  const keyTo = skipString(bytes, at, end);
  const from = skipKey(bytes, at, end);
  const to = skipValue(bytes, from, end, { notFinite: 0, trailingCommas: 0 });
  const own = bytes.slice(at, to);
  const key = decodeString(own.subarray(1, keyTo - at - 1)).text;
  const gen = isMetadataKey(key) ? ordinals.next().value : undefined;
  const member = { key, keyFrom: 0, keyTo: keyTo - at, from: from - at, to: to - at };
  set.addMember(typeof gen === "number" ? { ...member, gen } : member, own);
  scanner.position = to;
}
