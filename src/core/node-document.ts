/** The text of a node's metadata document, and what is said where it cannot be understood. */
import { RefscopeError } from "./errors.ts";
import type { Finding } from "./finding.ts";
import type { MetadataDocument } from "./hierarchy.ts";
import type { JsonValue } from "./json.ts";

export interface Place {
  readonly path: string;
  readonly name: string;
  readonly attributes: JsonValue | undefined;
}

/** Longer documents are refused, in UTF-16 code units. */
const MAX_TEXT = 64 * 1024 * 1024;

/** @throws RefscopeError `metadata-unread` or `metadata-too-large` */
export function documentText({ key, text, problem }: MetadataDocument): string {
  const doing = `Reading ${key}`;
  if (text === undefined) {
    throw new RefscopeError({ code: "metadata-unread", doing, found: problem ?? "that it could not be read" });
  }
  if (text.length <= MAX_TEXT) return text;
  const expected = `at most ${MAX_TEXT} characters`;
  throw new RefscopeError({ code: "metadata-too-large", doing, expected, found: `${text.length}` });
}

export function metadataBroken(path: string, document: MetadataDocument, reason: string): Finding {
  const message = `${document.key} cannot be understood. ${reason}`;
  return { code: "metadata-broken", severity: "error", array: path, key: document.key, message };
}
