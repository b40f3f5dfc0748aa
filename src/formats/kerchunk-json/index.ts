import { attempt } from "#core/basics.ts";
import type { Bytes, CallContext, Progress } from "#core/byte-source.ts";
import { failure, type RefscopeError, WHOLE_SET } from "#core/findings/finding.ts";
import { FindingLog } from "#core/findings/finding-log.ts";
import { BLOCK_ROWS, type ColumnBlock, LENGTH_WHOLE, newBlock, ORDINAL_STRAY } from "#core/table/reference-table.ts";
import { sameBytes } from "#core/bytes.ts";
import { blockOf, placeOf } from "./columns.ts";
import { documentReader, type DocumentReader, type ScannedDocument } from "./document.ts";
import { describeDocument, notJson } from "./interpret.ts";
import type { KerchunkDocument, KerchunkRead, MeaningOptions } from "./interpret.ts";
import { asciiText, decodeText, skipSpace } from "./json-bytes.ts";
import { startPace } from "./pace.ts";
import { BytePool, KeyPool } from "./pools.ts";
import { type RawTargets, type Row, type Scanner, type ScanOutput, wasmScanners } from "./scan-wasm.ts";

/** Kerchunk JSON reference sets, Version 0 and 1. */

export { decodeInline, type InlineBytes, type InlineOddity } from "./inline.ts";
export { decodeText } from "./json-bytes.ts";
export type { KerchunkDocument, KerchunkRead } from "./interpret.ts";

export type { RowOrigins } from "./origins.ts";
export type { MetadataEntry } from "./reference-set.ts";
export { resolveGrids, type FinishedTable } from "./table.ts";
export type { Grid } from "./slots.ts";

// Tells by first bytes and name if data may be a Kerchunk JSON reference set.

const ENOUGH = 65_536;

/**
 * `head`: the first bytes, decompressed; a few hundred suffice. "yes": an object that has what only reference sets have;
 * "maybe": JSON that may be one, or may hold some. The name decides nothing that the bytes do not allow.
 */
export function detectKerchunkJson(head: Uint8Array, name: string): "yes" | "maybe" | "no" {
  const text = decodeText(head.subarray(0, ENOUGH))
    .text.replace(/^\ufeff/, "")
    .trimStart();
  if (!text.startsWith("{") && !text.startsWith("[")) return "no";
  const afterBracket = text.slice(1).trimStart();
  // The first key of an object, or of the first object in a list, must begin like one.
  if (text.startsWith("{") && !/^["}]/.test(afterBracket) && afterBracket !== "") return "no";
  if (/"refs"\s*:\s*\{/.test(text) || /"(?:[^"\\]|\\.)*\.z(?:group|array|attrs)"\s*:/.test(text)) {
    return text.startsWith("{") ? "yes" : "maybe";
  }
  // `zarr.json` and its kind have their own readers.
  return /(?:^|\/)(?:zarr\.json|\.z[a-z]+)$/.test(name) ? "no" : "maybe";
}

// Reads a stream into places that the caller provides: progress, cancelling, and a watchdog.

interface BodyOptions {
  /** Bytes of the whole stream, where known; for progress only. */
  readonly sizeHint: number | undefined;
  readonly context: CallContext;
  /** Longest wait for the next bytes, milliseconds. */
  readonly stallAfter: number;
}

const READ_SIZE = 1 << 20;

/** Calls `take` with the bytes as they arrive; they are only valid during the call, while the next are read. */
async function readBody(body: ReadableStream<Bytes>, options: BodyOptions, take: (bytes: Bytes) => void) {
  const source = openSource(body);
  const { context, sizeHint } = options;
  const reportAndYield = startPace(context);
  let read = 0;
  // The next read is under way while the bytes of the last are taken.
  const ahead = (): Promise<Bytes | undefined> => {
    const reading = guardedRead(source, options, read);
    reading.catch(() => undefined);
    return reading;
  };
  try {
    context.signal.throwIfAborted();
    let next = ahead();
    for (;;) {
      const bytes = await next;
      context.signal.throwIfAborted();
      if (bytes === undefined) break;
      read += bytes.length;
      next = ahead();
      take(bytes);
      await reportAndYield(progressOf(read, sizeHint));
    }
    context.report(progressOf(read, sizeHint));
  } catch (error) {
    // The stream is no longer needed; whether it can be cancelled does not matter.
    source.cancel(error).catch(() => undefined);
    throw error;
  }
}

interface Source {
  /** `undefined` at the end. */
  read(): Promise<Bytes | undefined>;
  cancel(reason: unknown): Promise<void>;
}

/**
 * Two buffers take turns where the stream can fill them (a BYOB reader); else the stream makes its own, of any size: no more
 * of one is handed on at once than a buffer would hold.
 */
function openSource(body: ReadableStream<Bytes>): Source {
  const byob = byobReader(body);
  if (byob === undefined) {
    const reader = body.getReader();
    let rest = new Uint8Array(0);
    return {
      async read() {
        while (rest.length === 0) {
          const { value, done } = await reader.read();
          if (done) return undefined;
          rest = value;
        }
        const bytes = rest.subarray(0, READ_SIZE);
        rest = rest.subarray(READ_SIZE);
        return bytes;
      },
      cancel: (reason) => reader.cancel(reason),
    };
  }
  const buffers = [new ArrayBuffer(READ_SIZE), new ArrayBuffer(READ_SIZE)];
  return {
    async read() {
      const buffer = buffers.shift() ?? new ArrayBuffer(READ_SIZE);
      const { value, done } = await byob.read(new Uint8Array(buffer, 0, READ_SIZE));
      if (value !== undefined) buffers.push(value.buffer);
      return done ? undefined : value;
    },
    cancel: (reason) => byob.cancel(reason),
  };
}

const byobReader = (body: ReadableStream<Bytes>): ReadableStreamBYOBReader | undefined =>
  attempt(() => body.getReader({ mode: "byob" }));

/** A read that gives up when nothing comes, or when the call is aborted while waiting. */
async function guardedRead(source: Source, { context, stallAfter }: BodyOptions, done: number) {
  return await new Promise<Bytes | undefined>((resolve, reject) => {
    const timer = setTimeout(() => finish(() => reject(stalled(done, stallAfter))), stallAfter);
    const abort = (): void => finish(() => reject(context.signal.reason as Error));
    function finish(settle: () => void): void {
      clearTimeout(timer);
      context.signal.removeEventListener("abort", abort);
      settle();
    }
    context.signal.addEventListener("abort", abort, { once: true });
    source.read().then(
      (bytes) => finish(() => resolve(bytes)),
      (error: unknown) => finish(() => reject(error)),
    );
  });
}

const stalled = (byte: number, stallAfter: number): RefscopeError =>
  failure("read-stalled", WHOLE_SET, { byte, milliseconds: stallAfter });

function progressOf(done: number, sizeHint: number | undefined): Progress {
  const total = sizeHint === undefined ? {} : { total: Math.max(sizeHint, done) };
  return { label: "Reading references", done, ...total, unit: "bytes" };
}

export interface ReadOptions extends MeaningOptions {
  /** Bytes of the document, where known; for progress only. */
  readonly sizeHint: number | undefined;
  /** Which set of a document with several; an id from the choices that were given. */
  readonly choice?: string;
  /** WebAssembly unless it is refused; then, or where asked for, plain JavaScript. */
  readonly scanner?: "wasm" | "js";
  /** Longest wait for the next bytes, milliseconds. 30 s where not given. */
  readonly stallAfter?: number;
  /** Largest document whose text is kept, in bytes; 0 where not given. */
  readonly keepText?: number;
}

/** Bytes: the title of a web page may follow a good deal of other tags. */
const HEAD = 16_384;
const STALL_AFTER = 30_000;
/** Bytes handed to the scanner at once. */
const PIECE = 1 << 20;

/**
 * @throws RefscopeError `json-malformed`, `json-truncated`, `json-entry-too-long`, `read-stalled`, `choice-unknown`,
 *   `too-many-arrays` and other budgets; an `AbortError` when the call is aborted
 */
export async function readKerchunkJson(body: ReadableStream<Bytes>, options: ReadOptions): Promise<KerchunkRead> {
  const makeScanner = await scannerMaker(options.scanner);
  const reader = documentReader(makeScanner, options.choice);
  const head = documentHead();
  const text = textKeeper(options.keepText ?? 0);
  const { sizeHint, context, stallAfter = STALL_AFTER } = options;
  try {
    await readBody(body, { sizeHint, context, stallAfter }, (bytes) => {
      text.add(bytes);
      if (head.accept(bytes)) feed(reader, bytes);
    });
  } catch (error) {
    if (error === head.enough) return { kind: "other", finding: notJson(head.bytes()) };
    throw error;
  }
  if (head.refused()) return { kind: "other", finding: notJson(head.bytes()) };
  const scanned = reader.finish();
  if (scanned.top === "nothing") return { kind: "other", finding: notJson(head.bytes()) };
  return settleChoice(scanned, makeScanner, options, text);
}

/** The first bytes of the document, which show whether it may be JSON, and what else it is. */
function documentHead() {
  let kept = new Uint8Array(0);
  let refused = false;
  const enough = new Error("not JSON");
  return {
    enough,
    /** Takes more bytes; false if they are not JSON. Throws `enough` once they suffice to tell another format. */
    accept(bytes: Uint8Array): boolean {
      if (kept.length >= HEAD) return true;
      const joined = new Uint8Array(Math.min(HEAD, kept.length + bytes.length));
      joined.set(kept);
      joined.set(bytes.subarray(0, joined.length - kept.length), kept.length);
      kept = joined;
      refused = looksLikeJson(kept) === false;
      if (refused && kept.length >= HEAD) throw enough;
      return !refused;
    },
    refused: (): boolean => refused,
    bytes: (): Uint8Array => kept,
  };
}

/** True if the first character begins a JSON object or list; `undefined` if it has not come yet. */
function looksLikeJson(head: Uint8Array): boolean | undefined {
  const isMark = head[0] === 0xef;
  if (isMark && head.length < 3) return undefined;
  const at = skipSpace(head, isMark && head[1] === 0xbb && head[2] === 0xbf ? 3 : 0, head.length);
  if (at >= head.length) return undefined;
  return head[at] === 123 || head[at] === 91;
}

function feed(reader: DocumentReader, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; at += PIECE) {
    const piece = bytes.subarray(at, at + PIECE);
    reader.reserve(piece.length).set(piece);
    reader.commit(piece.length);
  }
}

async function scannerMaker(wanted: "wasm" | "js" = "wasm"): Promise<() => Scanner> {
  const fast = wanted === "wasm" ? await wasmScanners() : undefined;
  if (fast === undefined) return jsScanner;
  return () => {
    try {
      return fast();
    } catch (error) {
      // Each set keeps its memory, and a browser has places for about a hundred.
      if (error instanceof RangeError) return jsScanner();
      throw error;
    }
  };
}

async function settleChoice(
  scanned: ScannedDocument,
  makeScanner: () => Scanner,
  options: ReadOptions,
  text: TextKeeper,
): Promise<KerchunkRead> {
  const { choice, keepText = 0 } = options;
  const read = await describeDocument(scanned, makeScanner, options);
  if (read.kind === "set") return { kind: "set", document: withText(read.document, text) };
  if (read.kind === "other" || choice === undefined) return read;
  const chosen = scanned.embedded.find((one) => one.id === choice);
  if (chosen?.bytes === undefined) throw failure("choice-unknown", WHOLE_SET, { choice });
  const reader = documentReader(makeScanner, undefined);
  feed(reader, chosen.bytes);
  const inner = await describeDocument(reader.finish(), makeScanner, options);
  if (inner.kind !== "set") return inner;
  const findings = new FindingLog();
  findings.addAll(scanned.findings.list());
  findings.addAll(inner.document.findings);
  const document = { ...inner.document, documentBytes: scanned.bytes, findings: findings.list() };
  const own = textKeeper(keepText);
  own.add(chosen.bytes);
  return { kind: "set", document: withText(document, own) };
}

function withText(document: KerchunkDocument, keeper: TextKeeper): KerchunkDocument {
  const kept = keeper.text();
  return kept === undefined ? document : { ...document, text: kept };
}

// A small document's text, kept while it streams by: it can be edited. A large one's is let go.

type TextKeeper = ReturnType<typeof textKeeper>;

/** `limit`: bytes. */
function textKeeper(limit: number) {
  let pieces: Uint8Array[] | undefined = [];
  let length = 0;
  return {
    add(bytes: Uint8Array): void {
      length += bytes.length;
      if (length > limit) pieces = undefined;
      else pieces?.push(bytes.slice());
    },
    /** `undefined` where there was more than was to be kept, and where it is not UTF-8. */
    text(): string | undefined {
      if (pieces === undefined) return undefined;
      const decoder = new TextDecoder("utf-8", { fatal: true });
      try {
        const texts = pieces.map((piece) => decoder.decode(piece, { stream: true }));
        return texts.join("") + decoder.decode();
      } catch {
        return undefined;
      }
    },
  };
}

// The scanner where WebAssembly may not run: it takes ranges of arrays whose metadata came before, and leaves ordinals
// to the end. Several times slower than the compiled one; tests run both.

const FIRST_BUFFER = 1 << 12;
const HEADROOM = 1 << 16;
const LATIN1 = new TextDecoder("latin1");

/**
 * An entry as nearly all are written, `"path/0.1":["url",offset,length]` or `["url"]`: the comma before it, the key up to
 * its last slash and after it, URL, offset, length. Slashes alone may be escaped.
 */
const ENTRY = new RegExp(
  [
    "(,?)",
    String.raw`"((?:[ !#-.0-[\]-~]*\\?/)*)(\d[ !#-.0-[\]-~]*)"`,
    ":",
    String.raw`\[`,
    String.raw`"((?:[ !#-[\]-~]|\\/)*)"`,
    String.raw`(?:,[ \t\n\r]*(0|[1-9]\d{0,14})[ \t\n\r]*,[ \t\n\r]*(0|[1-9]\d{0,8}))?`,
    String.raw`\]`,
  ].reduce((entry, part) => String.raw`${entry}[ \t\n\r]*${part}`, ""),
  "y",
);
/** Bytes of a row in all columns. */
const ROW_BYTES = 22;

export const jsScanner = (): Scanner => new JsScanner();

class JsScanner implements Scanner {
  readonly kind = "js";
  bytes = new Uint8Array(FIRST_BUFFER);
  position = 0;
  end = 0;
  rows = 0;
  readonly #blocks: ColumnBlock[] = [];
  readonly #targets = new TargetPool();
  readonly #inline = new BytePool(1 << 20);
  readonly #pending = new KeyPool();
  /** Slots by what the keys of their chunks begin with, as written. */
  readonly #prefixes = new Map<string, number>();
  /** The buffer up to `end`, a character a byte; made when it is needed. */
  #text: string | undefined;

  reserve(want: number): Bytes {
    this.#text = undefined;
    this.bytes.copyWithin(0, this.position, this.end);
    this.end -= this.position;
    this.position = 0;
    if (this.end + want > this.bytes.length) {
      // With room for the usual tail of one entry, so that the next read fits too.
      const larger = new Uint8Array(this.end + want + HEADROOM);
      larger.set(this.bytes.subarray(0, this.end));
      this.bytes = larger;
    }
    return this.bytes.subarray(this.end, this.end + want);
  }

  commit(count: number): void {
    this.#text = undefined;
    this.end += count;
  }

  lineBreaks(to: number): number {
    let count = 0;
    for (let at = 0; at < to; at += 1) if (this.bytes[at] === 10) count += 1;
    return count;
  }

  run(first: boolean): boolean {
    const text = (this.#text ??= LATIN1.decode(this.bytes.subarray(0, this.end)));
    for (let isFirst = first; ; isFirst = false) {
      const from = this.position;
      ENTRY.lastIndex = from;
      const [entry = "", comma, prefix = "", name = "", url = "", offset = 0, length] = ENTRY.exec(text) ?? [];
      const array = entry === "" || (comma === "") !== isFirst ? undefined : this.#prefixes.get(prefix);
      if (array === undefined) return isFirst;
      const nameFrom = from + entry.indexOf('"') + 1 + prefix.length;
      const nameTo = nameFrom + name.length;
      const urlFrom = text.indexOf('"', nameTo + 1) + 1;
      const target = this.#targets.add(this.bytes.subarray(urlFrom, urlFrom + url.length));
      const bytes = length === undefined ? LENGTH_WHOLE : Number(length);
      const row = this.addRow({ array, ordinal: ORDINAL_STRAY, target, offset: Number(offset), length: bytes });
      this.#pending.add(row, this.bytes, nameFrom, nameTo);
      this.position = from + entry.length;
    }
  }

  addPrefix(raw: Uint8Array, slot: number): void {
    this.#prefixes.set(LATIN1.decode(raw), slot);
  }

  setGrid(): void {
    // All ordinals are settled at the end.
  }

  addRow(row: Row): number {
    if (placeOf(this.rows) === 0) this.#blocks.push(newBlock());
    const block = blockOf(this.#blocks, this.rows);
    const at = placeOf(this.rows);
    block.array[at] = row.array;
    block.ordinal[at] = row.ordinal;
    block.target[at] = row.target;
    block.offset[at] = row.offset;
    block.length[at] = row.length;
    return this.rows++;
  }

  addTarget(raw: Uint8Array): number {
    return this.#targets.add(raw);
  }

  addInline(raw: Uint8Array): number {
    return this.#inline.add(raw);
  }

  keepKey(row: number, rest: Uint8Array): void {
    this.#pending.add(row, rest, 0, rest.length);
  }

  output(): ScanOutput {
    const [blocks, targets, inline] = [this.#blocks, this.#targets, this.#inline];
    const byteLength = () => blocks.length * BLOCK_ROWS * ROW_BYTES + targets.allocated + inline.allocated;
    return { rows: this.rows, blocks, targets, inline, pending: this.#pending, byteLength };
  }
}

/** Each URL once, in the order of their ids. */
class TargetPool implements RawTargets {
  readonly #pool = new BytePool(1 << 20);
  /** Ids by the bytes as Latin-1 text. */
  readonly #ids = new Map<string, number>();
  readonly #offsets: number[] = [];
  readonly #lengths: number[] = [];
  /** The one added last, which mostly is the next one too. */
  #last = { raw: new Uint8Array(0), id: -1 };

  get count(): number {
    return this.#offsets.length;
  }

  get allocated(): number {
    return this.#pool.allocated + 16 * this.count;
  }

  add(raw: Uint8Array): number {
    const last = this.#last;
    if (last.id < 0 || !sameBytes(last.raw, raw)) this.#last = { raw: raw.slice(), id: this.#obtain(raw) };
    return this.#last.id;
  }

  #obtain(raw: Uint8Array): number {
    const text = asciiText(raw, 0, raw.length);
    const known = this.#ids.get(text);
    if (known !== undefined) return known;
    this.#ids.set(text, this.count);
    this.#lengths.push(raw.length);
    return this.#offsets.push(this.#pool.add(raw)) - 1;
  }

  raw(id: number): Uint8Array {
    return this.#pool.slice(this.#offsets[id] ?? 0, this.#lengths[id] ?? 0);
  }

  forEach(visit: (bytes: Uint8Array, from: number, to: number, id: number) => void): void {
    for (let id = 0; id < this.count; id += 1) {
      const raw = this.raw(id);
      visit(raw, 0, raw.length, id);
    }
  }
}
