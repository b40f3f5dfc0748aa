/** What there is to edit of an open set: its document as it stands, or the small part of a large one. */
import type { EditSource } from "../../core/studio.ts";
import type { DocumentSet } from "../engine-set.ts";
import { keptReferences, MAX_TEXT, reducedText } from "./reduced.ts";
import { documentIndex } from "./document-index.ts";

export function editSource(set: DocumentSet): EditSource {
  const { documentText } = set;
  const documentId = documentIdOf(set);
  if (isWhole(set)) return { kind: "whole", text: documentText ?? "", kept: 0, documentId };
  const of = documentIndex(set);
  return { kind: "reduced", text: reducedText(of), kept: keptReferences(of), documentId };
}

/** Whether the text that is edited is the whole document. */
export const isWhole = ({ documentText }: DocumentSet): boolean =>
  documentText !== undefined && documentText.length <= MAX_TEXT;

/** URL and choice, else name and size: a file of the same name that was changed is another document. */
function documentIdOf({ url, choice, name, documentBytes }: DocumentSet): string {
  return url === undefined ? JSON.stringify([name, choice ?? "", documentBytes]) : JSON.stringify([url, choice ?? ""]);
}
