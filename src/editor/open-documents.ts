/** Texts that were opened in the editor in this session, by their id. Loads no editor. */
interface OpenDocument {
  dispose(): void;
}

/** The least recently opened is forgotten beyond this many: its edits are kept by the receiver of `onChange`. */
const MAX_OPEN = 12;

const open = new Map<string, OpenDocument>();

/** Forgets a document's text and history: the next editor of this id begins with its `initialText`. */
export function forgetDocument(documentId: string): void {
  open.get(documentId)?.dispose();
  open.delete(documentId);
}

/** Document of this id, made by `make` if it is not open. */
export function openDocument<D extends OpenDocument>(documentId: string, make: () => D): D {
  // All are made by the one caller: one kind of document.
  const document = (open.get(documentId) as D | undefined) ?? make();
  open.delete(documentId);
  open.set(documentId, document);
  const [oldest] = open.keys();
  if (open.size > MAX_OPEN && oldest !== undefined) forgetDocument(oldest);
  return document;
}
