/** Words for sets whose chunks are objects of a store, or listed beside their metadata. */
import type { FormatWords } from "#core/open-set.ts";

export const STORE_WORDS: FormatWords = {
  unit: "chunk",
  heading: "Chunks",
  countsMetadata: false,
  source: "Metadata",
  missing: "Nothing is stored for it",
  lost: "it was lost, or never written",
  unrequested: "",
  inlineIn: "reference set",
};
