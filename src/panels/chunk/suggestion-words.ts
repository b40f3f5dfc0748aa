/** Likely repairs in words: what each does, what speaks for it, and what the search came to. */
import { listed, wholePercent } from "../../core/words.ts";
import type { Evidence, NothingSearched, Repair, Suggestion, Suggestions, Trial } from "../../core/lab.ts";
import { countOf, formatExactBytes } from "../../widgets/number-format.ts";

/** "Read 12 bytes later". */
export function repairTitle({ repair, trial }: Pick<Suggestion, "repair" | "trial">): string {
  switch (repair.kind) {
    case "codec-not-applied":
      return `Read this chunk without ${listed(repair.codecs)}`;
    case "codec-undeclared":
      return undeclaredTitle(repair);
    case "codec-order":
      return `Decode in the order ${listed(repair.codecs)}`;
    case "element-size":
      return `Shuffle with ${repair.size}-byte elements instead of ${repair.declared}-byte ones`;
    case "byte-order":
      return `Read the elements as ${repair.byteOrder}-endian`;
    case "offset":
    case "length":
      return rangeTitle(trial);
  }
}

function undeclaredTitle({ codec, detail }: Extract<Repair, { readonly kind: "codec-undeclared" }>): string {
  switch (detail?.kind) {
    case "checksum":
      return `Declare ${codec}: the ${WHICH[detail.place]} 4 bytes are its checksum`;
    case "with-shuffle":
      return `Declare ${codec} and shuffle`;
    case "element-size":
      return `Declare ${codec}, ${detail.size}-byte elements`;
    case undefined:
      return `Declare ${codec}`;
  }
}

const WHICH = { start: "first", end: "last" } as const;

function rangeTitle({ shift = 0, lengthen = 0 }: Trial): string {
  const size = `${formatExactBytes(Math.abs(lengthen))} ${lengthen > 0 ? "more" : "fewer"}`;
  if (shift === 0) return `Read ${size}`;
  const title = `Read ${formatExactBytes(Math.abs(shift))} ${shift > 0 ? "later" : "earlier"}`;
  return lengthen === 0 ? title : `${title}, and ${size}`;
}

/** One sentence. */
export function evidenceWords(evidence: Evidence): string {
  switch (evidence.kind) {
    case "checksum-holds":
      return `It verifies the checksum${evidence.codecs.length === 1 ? "" : "s"} of ${listed(evidence.codecs)}.`;
    case "stream-whole":
      return `${listed(evidence.codecs)} decodes from its first byte to its last, without an error.`;
    case "plain-size":
      return "The stored bytes are exactly as many as those of the plain chunk.";
    case "decodes-without": {
      const were = evidence.codecs.length === 1 ? "was" : "were";
      return `With ${listed(evidence.codecs)}, which ${were} then not applied to this chunk, it does not decode; without, it does.`;
    }
    case "decodes-in-order":
      return "In this order every step decodes; in the declared one they do not.";
    case "is-checksum": {
      const others = `${formatExactBytes(evidence.of)} ${evidence.place === "end" ? "before" : "after"} them`;
      return `The ${WHICH[evidence.place]} 4 bytes are the ${evidence.codec} checksum of the ${others}.`;
    }
    case "begins-like":
      return `The stored bytes begin like ${evidence.codec}.`;
    case "stream-begins":
      return `A ${evidence.codec} stream begins there.`;
    case "adjoins":
      return evidence.neighbour === "before"
        ? "The range then begins where the reference before it ends."
        : "The range then ends where the next reference begins.";
    case "exact-size":
      return `It gives exactly ${formatExactBytes(evidence.bytes)}, as the chunk should have.`;
    case "rows-end":
      return "The jump from row to row then lies where the rows end.";
    case "even-steps":
      return "This way every element is the same step from the one before it, as coordinates are; as declared they are not.";
    case "more-order":
      return `The bytes of the elements have far more order this way: ${evidence.bits.toFixed(2)} bits of entropy per byte, against ${evidence.declared.toFixed(2)} as declared.`;
    case "fewer-absurd":
      return `As declared, ${wholePercent(evidence.declared)} of the values that are not zero are ${ABSURD[evidence.of]}; this way ${wholePercent(evidence.share)} are.`;
    case "smoother":
      return `Neighbouring values differ far less this way: by ${evidence.bits.toFixed(1)} bits on average, against ${evidence.declared.toFixed(1)} as declared.`;
    case "flags":
      return `This way all values lie between 0 and ${evidence.greatest}, as flags do; as declared they are spread over ${evidence.places} bytes of an element.`;
    case "fill-lost":
      return `The fill value ${evidence.fill} occurs ${countOf(evidence.stored, "time")} as the values are stored, and ${countOf(evidence.summed, "time")} when they are summed up.`;
    case "nan-spreads":
      return "Summed up as declared, everything after the first NaN is NaN; as they are stored, the values go on after it.";
    case "sums-wrap":
      return `Summed up as declared, the values wrap round ${countOf(evidence.count, "time")}; as they are stored they do not.`;
    case "sums-grow":
      return "Summed up as declared, the values grow from row to row by a whole row's sum; as they are stored they do not.";
  }
}

const ABSURD = {
  characters: "characters that Unicode does not have",
  numbers: "numbers so large or small (beyond 1e±30) that no measurement gives them",
} as const;

const NOTHING_SEARCHED: Readonly<Record<NothingSearched, string>> = {
  "no-reference": "The chunk has no reference: there is nothing to read.",
  "bad-reference": "The chunk's reference cannot be read: correct it first.",
  "no-bytes": "The chunk's bytes could not be read: there is nothing to decode.",
  "too-large":
    "The steps of this chunk's decode give more than 1 GiB together: other readings are not searched for. Use Trial instead.",
};

/** One sentence: why there are no suggestions, or what was found. */
export function searchWords({ declared, expected, suggestions, tried }: Suggestions): string {
  const found = suggestions.length;
  if (declared === "decodes") {
    if (found === 0) return "The chunk decodes as declared, and no other reading is more plausible.";
    return `The chunk decodes as declared, but ${found === 1 ? "another reading is" : `${found} other readings are`} far more plausible.`;
  }
  if (declared !== "fails") return NOTHING_SEARCHED[declared];
  const wanted = expected === 0 ? "the chunk's elements" : formatExactBytes(expected);
  const others = tried === 1 ? "1 other reading was" : `${tried} other readings were`;
  if (found === 0) return `${others} tried; none gives ${wanted}.`;
  return `The chunk does not decode as declared; ${others} tried, and ${found === 1 ? "1 gives" : `${found} give`} ${wanted}.`;
}
