/** Version 1 rendered: the URLs of `refs`, then the entries of `gen`, both into the columns of the set. */
import type { CallContext } from "#core/byte-source.ts";
import { FindingLog } from "#core/findings/finding-log.ts";
import { type FactsOf, finding, type Finding, keyAt, WHOLE_SET } from "#core/findings/finding.ts";
import { type BadReference, LENGTH_BIG, LENGTH_WHOLE, TARGET_BAD, TARGET_NULL } from "#core/table/reference-table.ts";
import type { GeneratedEntry, Version1Renderer } from "#core/table/version1.ts";
import { blockOf, eachBlock, placeOf } from "./columns.ts";
import { GeneratedText, type Slash } from "./generated-text.ts";
import { decodeString, itemTexts, skipKey, skipString, skipValue } from "./json-bytes.ts";
import type { GenRows } from "./origins.ts";
import { startPace } from "./pace.ts";
import { MAX_BAD, type MetadataEntry, type ReferenceSet } from "./reference-set.ts";
import { referenceValue } from "./reference-value.ts";
import { isMetadataKey } from "./slots.ts";
import { ESCAPED_SLASH, mayBeTemplate, PLAIN_SLASH, spellingOf } from "./target-spelling.ts";
import { asReference, columnsOf } from "./value-columns.ts";

// The entries of `gen`, written as members of `refs` after its last one and read by the same scanner: so a key that is
// there already keeps its place and gets the new value, as with Python's `dict.update`. They pass through in pieces; no
// text is kept. Entries that the scanner would leave anyway, since their keys are not chunks, need no text.

/** Bytes given to the scanner at once. */
const PIECE = 1 << 20;
/** A piece of slow entries is shorter: so many milliseconds, looked at after so many entries. */
const LONGEST_TURN = 40;
const LOOK_EVERY = 16;

/** `slash`: how the document writes a slash inside a URL, so that the same URL has the same bytes. */
async function generateRows(set: ReferenceSet, renderer: Version1Renderer, slash: Slash, context: CallContext) {
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

  /** Takes an entry; false if there is no room for more. */
  take(entry: GeneratedEntry, ordinal: number): boolean {
    this.next = ordinal + 1;
    this.#count += 1;
    this.#bytes += entry.key.length + entry.url.length;
    if (entry.key.charCodeAt(entry.key.length - 1) > 57 && isMetadataKey(entry.key)) {
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

export interface RenderedSet {
  readonly renderer: Version1Renderer;
  readonly targets: RenderedTargets;
  readonly gen: GenRows;
  /** Findings about values of `refs` for which fsspec raises; severity error. */
  readonly findings: readonly Finding[];
}

/** The scanner must have come to the end of `refs`. */
export async function renderSet(
  set: ReferenceSet,
  renderer: Version1Renderer,
  context: CallContext,
): Promise<RenderedSet> {
  // Plain sets, which most are, are not gone over again.
  if (!renderer.hasTemplates && renderer.size === 0) return { renderer, ...nothingRendered(set), findings: [] };
  const findings = applyTemplateRules(set, renderer);
  const targets = await renderTargets(set, renderer, context);
  for (const [key, entry] of set.metadata) set.metadata.set(key, renderMetadata(entry, renderer));
  const gen = await generateRows(set, renderer, targets.slash, context);
  return { renderer, targets, gen, findings };
}

const nothingRendered = ({ scanner }: ReferenceSet): Pick<RenderedSet, "targets" | "gen"> => ({
  targets: { texts: new Map(), before: 0, after: 0, slash: "/" },
  gen: { firstRow: scanner.rows, rows: [], ordinals: [] },
});

function renderMetadata(entry: MetadataEntry, renderer: Version1Renderer): MetadataEntry {
  const { value } = entry;
  if ((value.kind !== "whole" && value.kind !== "range") || value.target === null) return entry;
  const rendered = renderer.url(value.target);
  if (rendered.kind === "url") {
    if (rendered.url === value.target) return entry;
    return { ...entry, value: { ...value, target: rendered.url }, written: value.target };
  }
  const list = value.kind === "whole" ? [value.target] : [value.target, value.offset, value.length];
  const bad = { kind: "bad", reason: rendered.reason, written: JSON.stringify(list) } as const;
  return { ...entry, value: bad, written: value.target };
}

// Applies fsspec's treatment of the values of `refs` in a Version 1 document with any template
// (implementations/reference.py, `_process_references1`): it takes the first item of every list for a URL and looks
// into it, and rebuilds the list from its first three items. If that fails for a value, fsspec refuses the whole
// document.

const encoder = new TextEncoder();

/** Corrects what is kept of the values, and says what fsspec raises on some, the first of each kind. */
function applyTemplateRules(set: ReferenceSet, renderer: Version1Renderer): readonly Finding[] {
  if (!renderer.hasTemplates) return [];
  const findings = new FindingLog();
  const note = (refused: Refused | undefined, place = WHOLE_SET, count = 1) => {
    if (refused !== undefined) findings.add(finding("reference-refused", place, refused, count));
  };
  for (const [row, bad] of set.bad) {
    note(refusalOf(bad));
    const range = cutList(bad);
    if (range !== undefined) replaceRow(set, row, range);
  }
  const nulls = countNulls(set);
  if (nulls > 0) note(NULL_URL, WHOLE_SET, nulls);
  for (const [key, entry] of set.metadata) {
    const { value } = entry;
    if (value.kind === "bad") {
      note(refusalOf(value), keyAt(key));
      const range = cutList(value);
      if (range !== undefined)
        set.metadata.set(key, { ...entry, value: asReference(valueOf(range), range, 0, range.length) });
    } else if ((value.kind === "whole" || value.kind === "range") && value.target === null) note(NULL_URL, keyAt(key));
  }
  return findings.list();
}

type Refused = FactsOf<"reference-refused">;

/** fsspec raises on the document, and opens nothing of it. */
function refused(problem: Refused["problem"], text: string): Refused {
  const raises = problem === "empty-list" || problem === "two-items" ? "IndexError" : "TypeError";
  return { problem, written: text.slice(0, 60), raises, step: "lists" };
}

const NULL_URL = refused("null-url", "null");

function refusalOf({ written }: BadReference): Refused | undefined {
  if (/^(?:null|true|false|-?\d)/.test(written)) return refused("no-first-item", written);
  const items = listItems(written);
  if (items === undefined) return undefined;
  const [url] = items;
  if (url === undefined) return refused("empty-list", written);
  if (/^(?:null|true|false|-?\d)/.test(url)) return refused("first-item-not-text", url);
  return items.length === 2 ? refused("two-items", written) : undefined;
}

/** The first three items of a longer list, as JSON text, which fsspec uses. */
function cutList({ written }: BadReference): Uint8Array | undefined {
  const items = listItems(written);
  if (items === undefined || items.length <= 3) return undefined;
  return encoder.encode(`[${items.slice(0, 3).join(",")}]`);
}

/** JSON texts of a list's items; `undefined` for other values, and for lists so long that they were cut. */
function listItems(written: string): readonly string[] | undefined {
  if (!written.startsWith("[") || !written.endsWith("]")) return undefined;
  try {
    JSON.parse(written);
  } catch {
    return undefined;
  }
  return itemTexts(written);
}

const valueOf = (range: Uint8Array) => referenceValue(range, 0, range.length);

function replaceRow(set: ReferenceSet, row: number, range: Uint8Array): void {
  const value = valueOf(range);
  if (value.kind === "bad") return;
  const { target, offset, length } = columnsOf(set.scanner, value);
  const block = blockOf(set.scanner.output().blocks, row);
  [block.target[placeOf(row)], block.offset[placeOf(row)], block.length[placeOf(row)]] = [target, offset, length];
  if (value.kind === "range" && length === LENGTH_BIG) set.bigLengths.set(row, value.length);
  set.bad.delete(row);
}

function countNulls({ scanner }: ReferenceSet): number {
  const { blocks, rows } = scanner.output();
  let count = 0;
  eachBlock(blocks, rows, ({ target }, _firstRow, used) => {
    for (let i = 0; i < used; i += 1) if (target[i] === TARGET_NULL) count += 1;
  });
  return count;
}

// Renders the URLs in `refs`, each distinct one once. The rendered text joins the scanner's targets; which
// belongs to which is kept by id, so that both can be shown.

export interface RenderedTargets {
  /** Ids of rendered texts by the id of the URL as written, where the two differ. */
  readonly texts: ReadonlyMap<number, number>;
  /** Ids below this are of URLs in `refs`, and from there to `after` of rendered texts that no URL in `refs` has. */
  readonly before: number;
  readonly after: number;
  /** How the document writes a slash inside a URL. */
  readonly slash: Slash;
}

/** URLs looked at before the scanner's memory may move. */
const BATCH = 2048;

async function renderTargets(set: ReferenceSet, renderer: Version1Renderer, context: CallContext) {
  const { scanner } = set;
  const { count, templated, slash } = templatedTargets(set, renderer.hasTemplates);
  const text = new GeneratedText(slash);
  const texts = new Map<number, number>();
  const faults = new Map<number, Finding>();
  const reportAndYield = startPace(context);
  let done = 0;
  for (let from = 0; from < templated.length; from += BATCH) {
    const { targets } = scanner.output();
    const batch = templated.slice(from, from + BATCH).map((id) => [id, decodeString(targets.raw(id)).text] as const);
    for (const [id, written] of batch) {
      const rendered = renderer.url(written);
      if (rendered.kind === "fault") faults.set(id, rendered.reason);
      else if (rendered.url !== written) texts.set(id, scanner.addTarget(text.url(rendered.url)));
      await reportAndYield({ label: "Rendering URLs", done: (done += 1), total: templated.length, unit: "rows" });
    }
  }
  if (faults.size > 0) markFaults(set, faults);
  return { texts, before: count, after: scanner.output().targets.count, slash };
}

function templatedTargets({ scanner }: ReferenceSet, hasTemplates: boolean) {
  const templated: number[] = [];
  let spelling = 0;
  const { targets } = scanner.output();
  targets.forEach((bytes, from, to, id) => {
    const flags = spellingOf(bytes, from, to);
    spelling |= flags;
    if (hasTemplates && mayBeTemplate(flags)) templated.push(id);
  });
  const slash = (spelling & (ESCAPED_SLASH | PLAIN_SLASH)) === ESCAPED_SLASH ? "\\/" : "/";
  return { count: targets.count, templated, slash } as const;
}

/** Rows whose URL cannot be rendered become bad ones. */
function markFaults({ scanner, bad, bigLengths }: ReferenceSet, faults: ReadonlyMap<number, Finding>): void {
  const { blocks, rows, targets } = scanner.output();
  const urls = new Map([...faults.keys()].map((id) => [id, JSON.stringify(decodeString(targets.raw(id)).text)]));
  eachBlock(blocks, rows, ({ target, offset, length }, firstRow, used) => {
    for (let i = 0; i < used; i += 1) {
      const fault = faults.get(target[i] ?? 0);
      if (fault === undefined) continue;
      const row = firstRow + i;
      const bytes = length[i] ?? 0;
      const size = bytes === LENGTH_BIG ? (bigLengths.get(row) ?? bytes) : bytes;
      const numbers = bytes === LENGTH_WHOLE ? "" : `,${offset[i]},${size}`;
      const written = `[${urls.get(target[i] ?? 0) ?? ""}${numbers}]`;
      // Beyond a million, only the fact that they are bad is kept.
      if (bad.size < MAX_BAD) bad.set(row, { reason: fault, written });
      bigLengths.delete(row);
      [target[i], offset[i], length[i]] = [TARGET_BAD, 0, 0];
    }
  });
}
