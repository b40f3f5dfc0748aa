/**
 * The entries of `gen`, written as members of `refs` behind its last one and read by the same scanner: so a key that is
 * there already keeps its place and gets the new value, as with Python's `dict.update`. They pass through in pieces; no
 * text is kept. Entries that the scanner would leave anyway, since their keys are not chunks, need no text.
 */
import type { CallContext } from "../../core/byte-source.ts";
import type { GeneratedEntry, Version1Renderer } from "../../core/version1.ts";
import { GeneratedText, type Slash } from "./generated-text.ts";
import { decodeString, skipKey, skipString, skipValue } from "./json-bytes.ts";
import type { GenRows } from "./origins.ts";
import { startPace } from "./pace.ts";
import type { ReferenceSet } from "./reference-set.ts";
import { isMetadataKey } from "./slots.ts";

/** Bytes given to the scanner at once. */
const PIECE = 1 << 20;
/** A piece of slow entries is shorter: so many milliseconds, looked at after so many entries. */
const LONGEST_TURN = 40;
const LOOK_EVERY = 16;

/** `slash`: how the document writes a slash inside a URL, so that the same URL has the same bytes. */
export async function generateRows(
  set: ReferenceSet,
  renderer: Version1Renderer,
  slash: Slash,
  context: CallContext,
): Promise<GenRows> {
  const piece = new Piece(set, slash);
  const reportAndYield = startPace(context);
  for (let more = true; more && piece.next < renderer.size;) {
    piece.begin();
    more = !renderer.generate(piece.next, (entry, ordinal) => piece.take(entry, ordinal));
    piece.flush();
    const done = Math.min(piece.next, renderer.size);
    await reportAndYield({ label: "Rendering gen", done, total: renderer.size, unit: "rows" });
  }
  if (piece.row !== set.scanner.rows) throw new Error("A generated reference is not a row of the table.");
  return piece.made;
}

/** Collects entries until a piece is full, hands them on in their order, and notes which row each is. */
class Piece {
  readonly made: { readonly firstRow: number; readonly rows: number[]; readonly ordinals: number[] };
  row: number;
  /** Ordinal to go on with. */
  next = 0;
  readonly #set: ReferenceSet;
  readonly #text: GeneratedText;
  readonly #urls: GeneratedText;
  /** Ordinals of the entries in the text that are metadata, in their order. */
  #metadata: number[] = [];
  #shift = NaN;
  #bytes = 0;
  #count = 0;
  #started = 0;

  constructor(set: ReferenceSet, slash: Slash) {
    this.#set = set;
    this.#text = new GeneratedText(slash);
    this.#urls = new GeneratedText(slash);
    this.row = set.scanner.rows;
    this.made = { firstRow: this.row, rows: [], ordinals: [] };
  }

  begin(): void {
    this.#started = performance.now();
    this.#bytes = 0;
  }

  /** Whether there is room for more. */
  take(entry: GeneratedEntry, ordinal: number): boolean {
    this.next = ordinal + 1;
    this.#count += 1;
    this.#bytes += entry.key.length + entry.url.length;
    if (endsLikeMetadata(entry.key) && isMetadataKey(entry.key)) {
      this.#metadata.push(ordinal);
      this.#text.member(entry);
    } else {
      this.#note(ordinal);
      if (mayBeChunk(entry.key) || !isPlainRange(entry)) this.#text.member(entry);
      else this.#addStray(entry);
    }
    if (this.#bytes >= PIECE) return false;
    return this.#count % LOOK_EVERY !== 0 || performance.now() - this.#started <= LONGEST_TURN;
  }

  #note(ordinal: number): void {
    if (ordinal - this.row !== this.#shift) {
      this.#shift = ordinal - this.row;
      this.made.rows.push(this.row);
      this.made.ordinals.push(ordinal);
    }
    this.row += 1;
  }

  #addStray({ key, url, offset, length }: GeneratedEntry): void {
    this.flush();
    const target = this.#urls.url(url);
    const isRange = typeof offset === "number" && typeof length === "number";
    this.#set.addStray(key, isRange ? { kind: "range", target, offset, length } : { kind: "whole", target });
  }

  flush(): void {
    if (this.#text.length === 0) return;
    const metadata = this.#metadata;
    this.#metadata = [];
    consume(this.#set, this.#text.take(), metadata);
  }
}

/** Nearly every key ends with a digit, which no name of a metadata document does. */
function endsLikeMetadata(key: string): boolean {
  return key.charCodeAt(key.length - 1) > 57;
}

/** Names of chunks begin with a digit or, in Zarr v3, with a c. */
function mayBeChunk(key: string): boolean {
  const first = key.charCodeAt(key.lastIndexOf("/") + 1);
  return (first >= 48 && first <= 57) || first === 99;
}

/** Nothing is wrong with its value: the whole target, or a range that fits into numbers. */
function isPlainRange({ offset, length }: GeneratedEntry): boolean {
  if (offset === undefined || length === undefined) return true;
  return isSize(offset) && isSize(length) && Number.isSafeInteger(Number(offset) + Number(length));
}

/** Not the negative zero that Python's integers do not have. */
const isSize = (value: number | bigint): boolean =>
  Number.isSafeInteger(value) && ((value as number) > 0 || Object.is(value, 0));

function consume(set: ReferenceSet, text: Uint8Array, metadata: readonly number[]): void {
  const { scanner } = set;
  scanner.reserve(text.length).set(text);
  scanner.commit(text.length);
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
