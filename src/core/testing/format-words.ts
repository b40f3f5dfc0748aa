/** For tests in which no word of a format is shown. */
import type { FormatWords } from "../open-set.ts";

export const SOME_WORDS: FormatWords = {
  unit: "chunk",
  heading: "Chunks",
  countsMetadata: false,
  source: "Metadata",
  missing: "Nothing",
  lost: "it was lost",
  unrequested: "",
  inlineIn: "set",
};
