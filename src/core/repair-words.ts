/** A fix in words, on the page, in the terminal and in the problem it fixes. */
import type {
  AlikeChunks,
  Certainty,
  NotEditable,
  OfferedRepair,
  Repair,
  RepairChange,
  RepairEvidence,
  UndeclaredDetail,
} from "./repair.ts";
import { count, counted, cut, listed, wholePercent } from "./words.ts";

const bytes = (amount: number): string => counted(amount, "byte");

interface Titled extends Pick<Repair, "change"> {
  readonly certainty?: Certainty;
  readonly alike?: AlikeChunks;
}

/** What a button says: "Read 7 bytes earlier". */
export function repairTitle({ change, certainty, alike }: Titled): string {
  const title = alike === undefined ? titleOf(change) : titleOf(change, alike.references);
  return certainty === "needs-you" ? `${title}?` : title;
}

/** How many references it changes, and how many of them were read; `undefined` where it is of one. */
export function alikeWords({ change, alike }: Pick<Titled, "change" | "alike">): string | undefined {
  if (alike === undefined) return undefined;
  const all = `It changes ${references(alike.references)}`;
  if (change.kind === "remove") return `It removes ${references(alike.references)}. Nothing had to be read.`;
  if (alike.read >= alike.references) return `${all}. Each was read this way and decodes.`;
  return `${all}. A spread sample of ${count(alike.read)} was read this way, and each decodes. The others were not read.`;
}

const references = (amount: number): string => (amount === 1 ? "1 reference" : `${count(amount)} references`);

/** `amount`: of references that it fixes. */
function titleOf(change: RepairChange, amount?: number): string {
  const of = amount === undefined ? "" : ` in ${references(amount)}`;
  switch (change.kind) {
    case "codec-not-applied":
      return `Read without ${names(change.codecs)}${of}`;
    case "codec-undeclared":
      return `Declare ${cut(change.codec, 40)}${undeclared(change.detail)}`;
    case "codec-order":
      return `Decode in the order ${names(change.codecs)}`;
    case "element-size":
      return `Shuffle with ${change.size}-byte elements instead of ${change.declared}-byte ones`;
    case "byte-order":
      return `Read the elements as ${change.byteOrder}-endian`;
    case "move":
      return moveTitle(change, of);
    case "remove":
      return amount === undefined ? "Remove the reference" : `Remove ${references(amount)}`;
    case "length":
      return `Read ${bytes(change.length)}${of}`;
    case "prefix":
      return `Replace ${change.from} with ${change.to}${of}`;
    case "range":
      return `Use ${count(change.offset)} + ${count(change.length)}`;
    case "target":
      return `Point to ${nameOf(change.target)}${of}`;
    case "metadata":
      return `Set ${MEMBER_WORDS[change.member]} to ${change.to.map(count).join(" × ")}`;
    case "rename":
      return `Rename to ${change.to}`;
    case "separator":
      return `Write ${change.references === 1 ? "1 key" : `${count(change.references)} keys`} with “${change.to}”`;
  }
}

function moveTitle({ shift, lengthen }: Extract<RepairChange, { kind: "move" }>, of: string): string {
  if (lengthen === 0 && Math.abs(shift) > FAR) return `Move by ${count(shift)} bytes`;
  const parts = [...(shift === 0 ? [] : [earlier(shift)]), ...(lengthen === 0 ? [] : [more(lengthen)])];
  return `Read ${parts.join(", ")}${of}`;
}

const names = (codecs: readonly string[]): string => listed(codecs.map((codec) => cut(codec, 40)));

function undeclared(detail: UndeclaredDetail | undefined): string {
  switch (detail?.kind) {
    case "checksum":
      return `: the ${WHICH[detail.place]} 4 bytes are its checksum`;
    case "with-shuffle":
      return " and shuffle";
    case "element-size":
      return `, ${detail.size}-byte elements`;
    case undefined:
      return "";
  }
}

const WHICH = { start: "first", end: "last" } as const;

const MEMBER_WORDS = { shape: "shape", chunks: "chunk shape" } as const;

const earlier = (by: number): string => `${bytes(Math.abs(by))} ${by < 0 ? "earlier" : "later"}`;
const more = (by: number): string => `${bytes(Math.abs(by))} ${by < 0 ? "fewer" : "more"}`;

/** From here on a difference says nothing. */
const FAR = 1_000_000;

const nameOf = (target: string | null): string => {
  const bare = target?.replace(/[?#].*$/s, "") ?? "the target given when opening";
  return bare.slice(bare.lastIndexOf("/") + 1) || bare;
};

/** What a fix does, for a list without buttons: "Use 253,285 + 16,055 for ice/0.0.0". */
export function repairLine(offer: OfferedRepair): string {
  if (offer.alike !== undefined) return `${repairTitle(offer)}, such as ${offer.key}`;
  return offer.change.kind === "separator" || offer.change.kind === "metadata"
    ? `${repairTitle(offer)} in ${offer.array === "" ? "/" : (offer.array ?? "")}`
    : `${repairTitle(offer)} for ${offer.key}`;
}

/** How sure it is, in a sentence or two. */
export function certaintyWords({
  certainty,
  change,
  alike,
}: Pick<OfferedRepair, "certainty" | "change" | "alike">): string {
  if (change.kind === "metadata" && certainty === "likely")
    return "The references suggest this, but do not prove it. Check the values.";
  if (change.kind === "remove" && alike !== undefined && certainty !== "needs-you")
    return "No reader requests these keys.";
  return CERTAINTY_WORDS[certainty];
}

const CERTAINTY_WORDS: Readonly<Record<OfferedRepair["certainty"], string>> = {
  safe: "Tested: the only fix that fits.",
  likely: "Tested: it fits, but is not proven. Check the values.",
  "needs-you": "Several fixes fit. Only the dataset's author can tell which one is right.",
};

export const REFUSED_WORDS: Readonly<Record<NotEditable, string>> = {
  "not-a-document":
    "Refscope can edit only Kerchunk JSON documents. Make the change with the tool that wrote the dataset.",
  generated: "gen makes this reference: change its entry in gen.",
  "too-many": "There are too many references to edit one by one. Make the change with the tool that wrote the dataset.",
};

const ABSURD = {
  characters: "invalid Unicode characters",
  numbers: "implausibly large or small numbers (beyond 1e±30)",
} as const;

/** One line a fact, without a full stop. `ofMany`: several chunks were read this way. */
const LINES: {
  readonly [K in RepairEvidence["kind"]]: (
    of: Extract<RepairEvidence, { readonly kind: K }>,
    ofMany: boolean,
  ) => string;
} = {
  "checksum-holds": ({ codecs }, ofMany) =>
    ofMany
      ? `Their checksums match (${names(codecs)})`
      : `The ${codecs.length === 1 ? "checksum" : "checksums"} of ${names(codecs)} ${codecs.length === 1 ? "matches" : "match"}`,
  "stream-whole": ({ codecs }, ofMany) => `${ofMany ? "Each stream of " : ""}${names(codecs)} decodes completely`,
  "plain-size": () => "The stored size is exactly that of an uncompressed chunk",
  "decodes-without": (of) => `It does not decode with ${names(of.codecs)}, but decodes without`,
  "decodes-in-order": () => "Every step decodes in this order, but not in the declared one",
  "is-checksum": (of) =>
    `The ${WHICH[of.place]} 4 bytes are the ${of.codec} checksum of the ${bytes(of.of)} ${of.place === "end" ? "before" : "after"} them`,
  "begins-like": (of) => `The stored bytes begin like ${of.codec}`,
  "stream-begins": (of) => `A ${of.codec} stream begins there`,
  adjoins: (of) =>
    of.neighbour === "before"
      ? "It begins where the reference before it ends"
      : "It ends where the next reference begins",
  "exact-size": ({ bytes: size }) => `It decodes to exactly ${bytes(size)}`,
  "rows-end": () => "The jump from row to row is where the rows end",
  "even-steps": () => "The elements are evenly spaced, like coordinates; as declared they are not",
  "more-order": (of) =>
    `The elements' bytes have far lower entropy: ${of.bits.toFixed(2)} bits per byte, compared with ${of.declared.toFixed(2)} as declared`,
  "fewer-absurd": (of) =>
    `As declared, ${wholePercent(of.declared)} of the non-zero values are ${ABSURD[of.of]}; with the fix ${wholePercent(of.share)} are`,
  smoother: (of) =>
    `Neighbouring values differ far less: by ${of.bits.toFixed(1)} bits on average, compared with ${of.declared.toFixed(1)} as declared`,
  flags: (of) =>
    `All values are between 0 and ${of.greatest}, like flags; as declared they are spread over ${of.places} bytes of an element`,
  "fill-lost": (of) =>
    `The fill value ${of.fill} occurs ${counted(of.stored, "time")} in the values as stored, and ${counted(of.summed, "time")} when they are summed`,
  "nan-spreads": () =>
    "Summed as declared, everything after the first NaN is NaN; as stored, the values continue after it",
  "sums-wrap": (of) => `Summed as declared, the values wrap around ${counted(of.count, "time")}; as stored they do not`,
  "sums-grow": () => "Summed as declared, the values grow from row to row by a whole row's sum; as stored they do not",
  "begins-behind": (of) => `It begins where ${of.key} ends`,
  "ends-before": (of) => `It ends where ${of.key} begins`,
  unclaimed: () => "No other reference has these bytes",
  "even-distance": (of) => `Chunks are spaced every ${bytes(of.bytes)}, and so is this one`,
  "same-layout": (of) => `${of.key} begins at the same offset in ${nameOf(of.target)}`,
  "target-of-neighbours": (of) => `The neighbouring ${of.key} has the same source`,
  "near-name": (of) => `${nameOf(of.name)} has nearly the same name`,
  "target-unread": () => "The source as written cannot be read",
  "outside-grid": (of) => `The grid has ${of.grid.map(count).join(" × ")} chunks: no reader requests this key`,
  "wrong-rank": (of) =>
    `The array has ${of.rank === 1 ? "1 dimension" : `${of.rank} dimensions`}: no reader requests this key`,
  "no-chunk-key": () => "The key is not written like a chunk key: no reader requests it",
  "bytes-referenced-by": (of) => `${of.key} reads the same bytes`,
  "only-missing": (of) => `${of.key} is the only chunk without a reference that fits`,
  "all-alike": (of) =>
    of.read === 1
      ? "It cannot be read as written, but decodes with the fix"
      : `${count(of.read)} tested: none can be read as written, all decode with the fix`,
  "keys-fill-grid": (of) =>
    `The references fill a grid of ${of.grid.map(count).join(" × ")} chunks exactly: none is missing, none is outside`,
  "length-elsewhere": (of) => `${of.by} has length ${count(of.length)} along ${of.dimension}`,
  "chunks-decode": (of) =>
    of.read === 1
      ? "1 chunk tested: it decodes with the fix"
      : `${count(of.read)} chunks tested: all decode with the fix`,
  "only-size": (of) => `Uncompressed, each chunk has ${bytes(of.bytes)}`,
  "keys-fit": (of) =>
    of.keys === 1
      ? "The key matches a chunk without a reference"
      : `All ${count(of.keys)} keys match chunks without a reference`,
};

function evidenceLine(evidence: RepairEvidence, ofMany: boolean): string {
  const line = LINES[evidence.kind] as (of: RepairEvidence, ofMany: boolean) => string;
  return line(evidence, ofMany);
}

export const evidenceLines = ({ evidence, alike }: Pick<OfferedRepair, "evidence" | "alike">): readonly string[] =>
  evidence.map((one) => evidenceLine(one, (alike?.read ?? 0) > 1));
