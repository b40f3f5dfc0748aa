/** Fixes of findings, as the editor's quick fixes (the bulb, Ctrl+.). */
import { hosts } from "./hosts.ts";
import type { editor, IRange, languages } from "./monaco.ts";

export function codeActions(model: editor.ITextModel, range: IRange): languages.CodeActionList {
  const fixes = hosts.get(model)?.fixes(range) ?? [];
  const versionId = model.getVersionId();
  const actions = fixes.map(({ title, marker, edits }) => ({
    title,
    kind: "quickfix",
    isPreferred: true,
    diagnostics: [marker],
    edit: { edits: edits.map((textEdit) => ({ resource: model.uri, versionId, textEdit })) },
  }));
  return { actions, dispose: () => undefined };
}
