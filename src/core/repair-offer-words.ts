/** Repairs in words, as the page and the terminal say them. */
import type { Evidence } from "./lab.ts";
import type { NotEditable, RepairChange, RepairEvidence, RepairOffer } from "./repairs.ts";

const number = new Intl.NumberFormat("en-US");
const count = (amount: number): string => number.format(amount);
const bytes = (amount: number): string => (amount === 1 ? "1 byte" : `${count(amount)} bytes`);

/** What a button says: "Read 7 bytes earlier". */
export function repairTitle({ change, certainty }: Pick<RepairOffer, "change" | "certainty">): string {
  return certainty === "needs-you" ? `${titleOf(change)}?` : titleOf(change);
}

function titleOf(change: RepairChange): string {
  switch (change.kind) {
    case "remove":
      return "Remove the reference";
    case "shift":
      if (Math.abs(change.bytes) > FAR) return `Move by ${count(change.bytes)} bytes`;
      return `Read ${bytes(Math.abs(change.bytes))} ${change.bytes < 0 ? "earlier" : "later"}`;
    case "length":
      return `Read ${bytes(change.length)}`;
    case "range":
      return `Use ${count(change.offset)} + ${count(change.length)}`;
    case "target":
      return `Point at ${nameOf(change.target)}`;
    case "rename":
      return `Rename to ${change.to}`;
    case "separator":
      return `Write ${change.references === 1 ? "1 key" : `${count(change.references)} keys`} with “${change.to}”`;
  }
}

/** From here on a difference says nothing. */
const FAR = 1_000_000;

const nameOf = (target: string | null): string => {
  const bare = target?.replace(/[?#].*$/s, "") ?? "the target given when opening";
  return bare.slice(bare.lastIndexOf("/") + 1) || bare;
};

/** What a repair does, for a list without buttons: "Use 253,285 + 16,055 for ice/0.0.0". */
export function repairLine(offer: RepairOffer): string {
  return offer.change.kind === "separator"
    ? `${repairTitle(offer)} in ${offer.array === "" ? "/" : (offer.array ?? "")}`
    : `${repairTitle(offer)} for ${offer.key}`;
}

export const CERTAINTY_WORDS: Readonly<Record<RepairOffer["certainty"], string>> = {
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
export function evidenceLine(evidence: RepairEvidence): string | undefined {
  return isPlacing(evidence) ? placingLine(evidence) : labLine(evidence);
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

export const evidenceLines = (offer: Pick<RepairOffer, "evidence">): readonly string[] =>
  offer.evidence.flatMap((one) => evidenceLine(one) ?? []);
