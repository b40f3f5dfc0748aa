/** Files of pco (pcodec/pcodec, docs/format.md, "Standalone Format"). */
import { beginsWith, factsOf, type Recognise } from "./signature.ts";

const LAST_VERSION = 3;

export const pcodec: Recognise = (bytes) => {
  const version = bytes[4];
  if (!beginsWith(bytes, "pco!") || version === undefined || version > LAST_VERSION) return undefined;
  return { name: "pcodec", label: "Pcodec", facts: factsOf({ "Version of the file": String(version) }) };
};
