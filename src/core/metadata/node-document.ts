/** The text of a node's metadata document, and what is found where it cannot be understood. */
import { failure, finding, keyAt, ofFinding, type Finding } from "../findings/finding.ts";
import type { MetadataDocument, NodeBase } from "./array-metadata.ts";
import { type JsonNode, memberOf } from "../json/json.ts";

export type NodePlace = NodeBase;

/** The `integerScale` of attributes. */
export function scalePart(attributes: JsonNode): Pick<NodePlace, "integerScale"> {
  const scale = memberOf(attributes, "scale_factor");
  return scale?.kind === "number" && /^-?\d+$/.test(scale.text) ? { integerScale: true } : {};
}

/** Longer documents are refused, in UTF-16 code units. */
const MAX_TEXT = 64 * 1024 * 1024;

/** @throws RefscopeError `metadata-unread` or `metadata-too-large` */
export function documentText({ key, text, problem }: MetadataDocument): string {
  if (text === undefined) throw failure("metadata-unread", keyAt(key), { cause: problem });
  if (text.length <= MAX_TEXT) return text;
  throw failure("metadata-too-large", keyAt(key), { size: text.length, limit: MAX_TEXT, unit: "characters" });
}

export function metadataBroken({ key }: MetadataDocument, error: unknown): Finding {
  return finding("metadata-broken", keyAt(key), { cause: causeOfError(error) });
}

/** The finding of an error; errors without one are thrown on. */
export const causeOfError = ofFinding(({ finding }) => finding);

/** A byte order mark stays, so that it is found: Python's `json` refuses it in text. */
const DECODER = new TextDecoder("utf-8", { ignoreBOM: true });

/** The text of a metadata document; bytes that are not UTF-8 become U+FFFD. */
export const documentTextOf = (bytes: Uint8Array): string => DECODER.decode(bytes);
