/** Repairs in words, as the page and the terminal say them. */
import { count, counted } from "../words.ts";
import type { Evidence } from "./lab.ts";
import type { NotEditable, RepairChange, RepairEvidence, RepairOffer } from "./repairs.ts";

const bytes = (amount: number): string => counted(amount, "byte");

/** What a button says: "Read 7 bytes earlier". */
export function repairTitle({ change, certainty, alike }: Pick<RepairOffer, "change" | "certainty" | "alike">): string {
  const title = alike === undefined ? titleOf(change) : titleOf(change, alike.references);
  return certainty === "needs-you" ? `${title}?` : title;
}

/** How many references it changes, and how many of them were read; `undefined` where it is of one. */
export function alikeWords({ change, alike }: Pick<RepairOffer, "change" | "alike">): string | undefined {
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
    case "remove":
      return amount === undefined ? "Remove the reference" : `Remove ${references(amount)}`;
    case "shift":
      if (Math.abs(change.bytes) > FAR) return `Move by ${count(change.bytes)} bytes`;
      return `Read ${earlier(change.bytes)}${of}`;
    case "length":
      return `Read ${bytes(change.length)}${of}`;
    case "move":
      return `Read ${[change.shift === 0 ? [] : earlier(change.shift), more(change.lengthen)].flat().join(", ")}${of}`;
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
export function repairLine(offer: RepairOffer): string {
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
}: Pick<RepairOffer, "certainty" | "change" | "alike">): string {
  if (change.kind === "metadata" && certainty === "likely")
    return "The references speak for it, but nothing proves it. Look at the values.";
  if (change.kind === "remove" && alike !== undefined && certainty !== "needs-you")
    return "No reader asks for these keys.";
  return CERTAINTY_WORDS[certainty];
}

const CERTAINTY_WORDS: Readonly<Record<RepairOffer["certainty"], string>> = {
  safe: "Tried: nothing else can be meant.",
  likely: "Tried: it fits, but nothing proves it. Look at the values.",
  "needs-you": "This can be meant, and something else too: only who made the set knows.",
};

export const REFUSED_WORDS: Readonly<Record<NotEditable, string>> = {
  "not-a-document": "Only Kerchunk JSON documents can be edited here. Make the change where the set was made.",
  generated: "The reference is made by gen: change the entry of gen that makes it.",
  "too-many": "These are too many references to edit one by one here. Make the change where the set was made.",
};

type Placing = Exclude<RepairEvidence, Evidence>;

/** One line a fact, without a full stop. */
export function evidenceLine(evidence: RepairEvidence, ofMany = false): string | undefined {
  if (isPlacing(evidence)) return placingLine(evidence);
  return ofMany ? (labLineOfMany(evidence) ?? labLine(evidence)) : labLine(evidence);
}

const PLACING: ReadonlySet<string> = new Set<Placing["kind"]>([
  "begins-behind",
  "ends-before",
  "unclaimed",
  "even-distance",
  "same-layout",
  "target-of-neighbours",
  "near-name",
  "target-unread",
  "outside-grid",
  "wrong-rank",
  "no-chunk-key",
  "bytes-referenced-by",
  "only-missing",
  "keys-fit",
  "all-alike",
  "keys-fill-grid",
  "length-elsewhere",
  "chunks-decode",
  "only-size",
]);

const isPlacing = (evidence: RepairEvidence): evidence is Placing => PLACING.has(evidence.kind);

function placingLine(evidence: Placing): string {
  switch (evidence.kind) {
    case "begins-behind":
      return `It begins where ${evidence.key} ends`;
    case "ends-before":
      return `It ends where ${evidence.key} begins`;
    case "unclaimed":
      return "No other reference has these bytes";
    case "even-distance":
      return `Chunks follow each other every ${bytes(evidence.bytes)}, and so does this one`;
    case "same-layout":
      return `${evidence.key} begins at the same offset in ${nameOf(evidence.target)}`;
    case "target-of-neighbours":
      return `${evidence.key} beside it has the same target`;
    case "near-name":
      return `${nameOf(evidence.name)} is nearly the same name`;
    case "target-unread":
      return "The target as written cannot be read";
    case "outside-grid":
      return `The grid has ${evidence.grid.map(count).join(" × ")} chunks: no reader asks for this key`;
    case "wrong-rank":
      return `The array has ${evidence.rank === 1 ? "1 dimension" : `${evidence.rank} dimensions`}: no reader asks for this key`;
    case "no-chunk-key":
      return "The key is not written as those of chunks are: no reader asks for it";
    case "bytes-referenced-by":
      return `The same bytes are read as ${evidence.key}`;
    case "only-missing":
      return `Of the chunks without a reference only ${evidence.key} can be meant`;
    case "all-alike":
      return evidence.read === 1
        ? "As written it is not read; so it decodes"
        : `${count(evidence.read)} were tried: as written none of them is read, so each of them decodes`;
    case "keys-fill-grid":
      return `The references are those of a grid of ${evidence.grid.map(count).join(" × ")} chunks, none is missing and none lies outside`;
    case "length-elsewhere":
      return `${evidence.by} has the length ${count(evidence.length)} along ${evidence.dimension}`;
    case "chunks-decode":
      return evidence.read === 1
        ? "A chunk was read and decodes so"
        : `${count(evidence.read)} chunks were read and decode so`;
    case "only-size":
      return `Stored without compression, each chunk has ${bytes(evidence.bytes)}`;
    case "keys-fit":
      return evidence.keys === 1
        ? "The key is that of a chunk without a reference"
        : `All ${count(evidence.keys)} keys are those of chunks without a reference`;
  }
}

/** The rest is said where chunks are tried; here only what a moved range can show. */
function labLine(evidence: Evidence): string | undefined {
  if (evidence.kind === "checksum-holds") return `Its checksum is right (${evidence.codecs.join(", ")})`;
  if (evidence.kind === "stream-whole") return `A whole ${evidence.codecs.join(", ")} stream is there`;
  if (evidence.kind === "exact-size") return `It gives exactly ${bytes(evidence.bytes)}`;
  return evidence.kind === "rows-end" ? "Its rows end where rows should" : undefined;
}

function labLineOfMany(evidence: Evidence): string | undefined {
  if (evidence.kind === "checksum-holds") return `Their checksums are right (${evidence.codecs.join(", ")})`;
  return evidence.kind === "stream-whole" ? `Whole ${evidence.codecs.join(", ")} streams are there` : undefined;
}

export const evidenceLines = ({ evidence, alike }: Pick<RepairOffer, "evidence" | "alike">): readonly string[] =>
  evidence.flatMap((one) => evidenceLine(one, (alike?.read ?? 0) > 1) ?? []);
