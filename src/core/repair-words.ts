/** A fix in words, on the page, in the terminal and in what is said of the fault. */
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
  if (change.kind === "remove") return `It takes ${references(alike.references)} out. Nothing had to be read for it.`;
  if (alike.read >= alike.references) return `${all}: each was read so, and decodes.`;
  return `${all}: ${count(alike.read)} of them were read so, spread over all, and each decodes. The others were not read.`;
}

const references = (amount: number): string => (amount === 1 ? "1 reference" : `${count(amount)} references`);

/** `amount`: of references that it is a repair of. */
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
      return `Write ${change.to} for ${change.from}${of}`;
    case "range":
      return `Use ${count(change.offset)} + ${count(change.length)}`;
    case "target":
      return `Point at ${nameOf(change.target)}${of}`;
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

/** What a repair does, for a list without buttons: "Use 253,285 + 16,055 for ice/0.0.0". */
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
    return "No reader asks for these keys.";
  return CERTAINTY_WORDS[certainty];
}

const CERTAINTY_WORDS: Readonly<Record<OfferedRepair["certainty"], string>> = {
  safe: "Tested: the only fix that fits.",
  likely: "Tested: it fits, but is not proven. Check the values.",
  "needs-you": "Several fixes fit. Only the dataset's author can tell which one is right.",
};

export const REFUSED_WORDS: Readonly<Record<NotEditable, string>> = {
  "not-a-document": "Only Kerchunk JSON documents can be edited here. Make the change where the set was made.",
  generated: "The reference is made by gen: change the entry of gen that makes it.",
  "too-many": "These are too many references to edit one by one here. Make the change where the set was made.",
};

const ABSURD = {
  characters: "characters that Unicode does not have",
  numbers: "numbers so large or small (beyond 1e±30) that no measurement gives them",
} as const;

/** One line a fact, without a full stop. `ofMany`: several chunks were read so. */
const LINES: {
  readonly [K in RepairEvidence["kind"]]: (
    of: Extract<RepairEvidence, { readonly kind: K }>,
    ofMany: boolean,
  ) => string;
} = {
  "checksum-holds": ({ codecs }, ofMany) =>
    ofMany
      ? `Their checksums are right (${names(codecs)})`
      : `The ${codecs.length === 1 ? "checksum" : "checksums"} of ${names(codecs)} ${codecs.length === 1 ? "is" : "are"} right`,
  "stream-whole": ({ codecs }, ofMany) =>
    `${ofMany ? "Each stream of " : ""}${names(codecs)} decodes from its first byte to its last`,
  "plain-size": () => "The stored bytes are exactly as many as those of the plain chunk",
  "decodes-without": (of) => `It does not decode with ${names(of.codecs)}, and decodes without`,
  "decodes-in-order": () => "Every step decodes in this order, and not in the declared one",
  "is-checksum": (of) =>
    `The ${WHICH[of.place]} 4 bytes are the ${of.codec} checksum of the ${bytes(of.of)} ${of.place === "end" ? "before" : "after"} them`,
  "begins-like": (of) => `The stored bytes begin like ${of.codec}`,
  "stream-begins": (of) => `A ${of.codec} stream begins there`,
  adjoins: (of) =>
    of.neighbour === "before"
      ? "It begins where the reference before it ends"
      : "It ends where the next reference begins",
  "exact-size": ({ bytes: size }) => `It gives exactly ${bytes(size)}`,
  "rows-end": () => "The jump from row to row lies where the rows end",
  "even-steps": () =>
    "Every element is the same step from the one before it, as coordinates are; as declared they are not",
  "more-order": (of) =>
    `The bytes of the elements have far more order: ${of.bits.toFixed(2)} bits of entropy per byte, against ${of.declared.toFixed(2)} as declared`,
  "fewer-absurd": (of) =>
    `As declared, ${wholePercent(of.declared)} of the values that are not zero are ${ABSURD[of.of]}; with the fix ${wholePercent(of.share)} are`,
  smoother: (of) =>
    `Neighbouring values differ far less: by ${of.bits.toFixed(1)} bits on average, against ${of.declared.toFixed(1)} as declared`,
  flags: (of) =>
    `All values lie between 0 and ${of.greatest}, as flags do; as declared they are spread over ${of.places} bytes of an element`,
  "fill-lost": (of) =>
    `The fill value ${of.fill} occurs ${counted(of.stored, "time")} as the values are stored, and ${counted(of.summed, "time")} when they are summed up`,
  "nan-spreads": () =>
    "Summed up as declared, everything after the first NaN is NaN; as they are stored, the values go on after it",
  "sums-wrap": (of) =>
    `Summed up as declared, the values wrap round ${counted(of.count, "time")}; as they are stored they do not`,
  "sums-grow": () =>
    "Summed up as declared, the values grow from row to row by a whole row's sum; as they are stored they do not",
  "begins-behind": (of) => `It begins where ${of.key} ends`,
  "ends-before": (of) => `It ends where ${of.key} begins`,
  unclaimed: () => "No other reference has these bytes",
  "even-distance": (of) => `Chunks follow each other every ${bytes(of.bytes)}, and so does this one`,
  "same-layout": (of) => `${of.key} begins at the same offset in ${nameOf(of.target)}`,
  "target-of-neighbours": (of) => `${of.key} beside it has the same target`,
  "near-name": (of) => `${nameOf(of.name)} is nearly the same name`,
  "target-unread": () => "The target as written cannot be read",
  "outside-grid": (of) => `The grid has ${of.grid.map(count).join(" × ")} chunks: no reader asks for this key`,
  "wrong-rank": (of) =>
    `The array has ${of.rank === 1 ? "1 dimension" : `${of.rank} dimensions`}: no reader asks for this key`,
  "no-chunk-key": () => "The key is not written as those of chunks are: no reader asks for it",
  "bytes-referenced-by": (of) => `The same bytes are read as ${of.key}`,
  "only-missing": (of) => `Of the chunks without a reference only ${of.key} can be meant`,
  "all-alike": (of) =>
    of.read === 1
      ? "It cannot be read as written, and decodes with the fix"
      : `${count(of.read)} tested: none can be read as written, all decode with the fix`,
  "keys-fill-grid": (of) =>
    `The references are those of a grid of ${of.grid.map(count).join(" × ")} chunks, none is missing and none lies outside`,
  "length-elsewhere": (of) => `${of.by} has the length ${count(of.length)} along ${of.dimension}`,
  "chunks-decode": (of) =>
    of.read === 1
      ? "A chunk was read, and decodes with the fix"
      : `${count(of.read)} chunks were read, and decode with the fix`,
  "only-size": (of) => `Stored without compression, each chunk has ${bytes(of.bytes)}`,
  "keys-fit": (of) =>
    of.keys === 1
      ? "The key is that of a chunk without a reference"
      : `All ${count(of.keys)} keys are those of chunks without a reference`,
};

function evidenceLine(evidence: RepairEvidence, ofMany: boolean): string {
  const line = LINES[evidence.kind] as (of: RepairEvidence, ofMany: boolean) => string;
  return line(evidence, ofMany);
}

export const evidenceLines = ({ evidence, alike }: Pick<OfferedRepair, "evidence" | "alike">): readonly string[] =>
  evidence.map((one) => evidenceLine(one, (alike?.read ?? 0) > 1));
