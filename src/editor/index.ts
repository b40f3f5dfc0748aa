/** The text editor for reference sets; Monaco comes with its first use. */
export { LazyReferenceEditor, loadReferenceEditor } from "./LazyReferenceEditor.tsx";
export { forgetDocument } from "./open-documents.ts";
export type { EditorHandle, ReferenceEditorProps } from "./props.ts";
