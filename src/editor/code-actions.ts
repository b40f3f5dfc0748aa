/** Fixes of findings, as the editor's quick fixes (the bulb, Ctrl+.). */
import { type Fix, hosts } from "./hosts.ts";
import type { editor, IRange, languages } from "./monaco.ts";

export function codeActions(model: editor.ITextModel, range: IRange): languages.CodeActionList {
  const fixes = hosts.get(model)?.fixes(range) ?? [];
  return { actions: fixes.map((fix) => actionOf(model, fix)), dispose: () => undefined };
}

function actionOf(model: editor.ITextModel, { title, marker, edits }: Fix): languages.CodeAction {
  const textEdits = edits.map(({ range, text }) => ({
    resource: model.uri,
    versionId: model.getVersionId(),
    textEdit: { range, text },
  }));
  return { title, kind: "quickfix", isPreferred: true, diagnostics: [marker], edit: { edits: textEdits } };
}
