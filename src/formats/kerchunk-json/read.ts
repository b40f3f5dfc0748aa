/**
 * Reads a Kerchunk JSON document (Version 0 and 1) from a stream of its bytes into a reference table, without ever
 * holding the document as text. Source of the meaning: kerchunk's "References specification", and where that is silent
 * what fsspec's ReferenceFileSystem does.
 */
import { failure } from "../../core/findings/failure.ts";
import { FindingLog } from "../../core/findings/finding-log.ts";
import { WHOLE_SET } from "../../core/findings/place.ts";
import { readBody } from "./body.ts";
import type { ScannedDocument } from "./document-state.ts";
import { documentReader, type DocumentReader } from "./document.ts";
import { skipSpace } from "./json-bytes.ts";
import { textKeeper, type TextKeeper } from "./keep-text.ts";
import { describeDocument, type MeaningOptions } from "./interpret.ts";
import type { KerchunkDocument, KerchunkRead } from "./kerchunk-document.ts";
import { notJson } from "./not-a-set.ts";
import { wasmScanners } from "./scan-wasm.ts";
import { jsScanner } from "./scan.ts";
import type { Scanner } from "./scanner.ts";

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

/** Bytes: the title of a web page may stand after a good deal of other tags. */
const HEAD = 16_384;
const STALL_AFTER = 30_000;
/** Bytes handed to the scanner at once. */
const PIECE = 1 << 20;

/**
 * @throws RefscopeError `json-malformed`, `json-truncated`, `json-entry-too-long`, `read-stalled`, `choice-unknown`,
 *   `too-many-arrays` and other budgets; an `AbortError` when the call is aborted
 */
export async function readKerchunkJson(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  options: ReadOptions,
): Promise<KerchunkRead> {
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

interface DocumentHead {
  /** Whether the bytes may be JSON. Throws `enough` when they are not and enough is there to say what they are. */
  accept(bytes: Uint8Array): boolean;
  refused(): boolean;
  bytes(): Uint8Array;
  readonly enough: Error;
}

/** The first bytes of the document, which show whether it may be JSON, and what else it is. */
function documentHead(): DocumentHead {
  let kept = new Uint8Array(0);
  let refused = false;
  const enough = new Error("not JSON");
  return {
    enough,
    accept(bytes) {
      if (kept.length >= HEAD) return true;
      const joined = new Uint8Array(Math.min(HEAD, kept.length + bytes.length));
      joined.set(kept);
      joined.set(bytes.subarray(0, joined.length - kept.length), kept.length);
      kept = joined;
      refused = looksLikeJson(kept) === false;
      if (refused && kept.length >= HEAD) throw enough;
      return !refused;
    },
    refused: () => refused,
    bytes: () => kept,
  };
}

/** Whether the first character is that of a JSON object or list; `undefined` where it has not come yet. */
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
