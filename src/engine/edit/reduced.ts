/**
 * The text for sets too large for a text editor: version, templates, gen and metadata. It is a document of its own; the
 * references that it leaves out stay in the table.
 */
import { attempt } from "#core/basics.ts";
import { toBase64 } from "#core/values/fill-bytes.ts";
import type { MetadataEntry } from "#formats/kerchunk-json/index.ts";
import { oncePer } from "../kept.ts";
import { type DocumentIndex, documentIndex } from "./document-index.ts";
import type { EditSource } from "#core/studio.ts";
import type { DocumentSet } from "../engine-set.ts";

/** Characters of a text that an editor takes well. */
export const MAX_TEXT = 4 << 20;

function reducedText(of: DocumentIndex): string {
  const { document, format } = of.set;
  const members = textEntries(of).map(({ key, text }) => `${JSON.stringify(key)}: ${text}`);
  if (format.version === 0) return braces(members, "  ");
  const parts = ['"version": 1'];
  if (document.templates !== undefined) parts.push(`"templates": ${document.templates}`);
  if (document.gen !== undefined) parts.push(`"gen": ${document.gen}`);
  parts.push(`"refs": ${braces(members, "    ").replace(/\n\}$/, "\n  }")}`);
  return braces(parts, "  ");
}

const braces = (members: readonly string[], indent: string): string =>
  members.length === 0 ? "{}" : `{\n${members.map((member) => indent + member).join(",\n")}\n}`;

export interface TextEntry {
  readonly key: string;
  readonly text: string;
}

/** The metadata in the text: those the document has itself and that can be written, while they fit. */
export const textEntries = oncePer((of: DocumentIndex): readonly TextEntry[] => {
  const entries: TextEntry[] = [];
  let left = MAX_TEXT;
  for (const entry of of.metadata) {
    const text = entry.gen === undefined ? metadataText(entry) : undefined;
    if (text === undefined) continue;
    left -= entry.key.length + text.length;
    if (left < 0) break;
    entries.push({ key: entry.key, text });
  }
  return entries;
});

/** References of the document itself that the reduced text leaves to the table. */
export function keptReferences(of: DocumentIndex): number {
  const own = of.metadata.filter(({ gen, overrides }) => gen === undefined || overrides === true).length;
  return of.set.origins.refsRows + own - textEntries(of).length;
}

export function metadataText({ value, written }: MetadataEntry): string | undefined {
  if (value.kind === "inline") return inlineText(value.bytes);
  if (value.kind === "whole") return JSON.stringify([written ?? value.target]);
  if (value.kind === "range") return JSON.stringify([written ?? value.target, value.offset, value.length]);
  return value.kind === "bad" && isJson(value.written) ? value.written : undefined;
}

function inlineText(bytes: Uint8Array): string {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    if (!text.startsWith("base64:")) return JSON.stringify(text);
  } catch {
    // No text: written as base64 below.
  }
  return JSON.stringify(`base64:${toBase64(bytes)}`);
}

export function isJson(text: string): boolean {
  return attempt(() => JSON.parse(text) as unknown) !== undefined;
}

// Text to edit of an open set: its document as it stands, or the small part of a large one.

export function editSource(set: DocumentSet): EditSource {
  const { documentText } = set;
  const documentId = documentIdOf(set);
  if (isWhole(set)) return { kind: "whole", text: documentText ?? "", kept: 0, documentId };
  const of = documentIndex(set);
  return { kind: "reduced", text: reducedText(of), kept: keptReferences(of), documentId };
}

/** True if the text that is edited is the whole document. */
export const isWhole = ({ documentText }: DocumentSet): boolean =>
  documentText !== undefined && documentText.length <= MAX_TEXT;

/** URL and choice, else name and size: a file of the same name that was changed is another document. */
function documentIdOf({ url, choice, name, documentBytes }: DocumentSet): string {
  return url === undefined ? JSON.stringify([name, choice ?? "", documentBytes]) : JSON.stringify([url, choice ?? ""]);
}
