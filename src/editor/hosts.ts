/** Who answers for a model: the editor's helpers are registered once, for all models. */
import type { HoverText, TemplateSuggestion, TextEdit } from "../core/studio.ts";
import type { editor, IRange } from "./monaco.ts";

export interface Fix {
  readonly title: string;
  readonly marker: editor.IMarkerData;
  readonly edits: readonly { readonly range: IRange; readonly text: TextEdit["text"] }[];
}

export interface EditorHost {
  complete(offset: number): Promise<readonly TemplateSuggestion[]>;
  hover(offset: number): Promise<HoverText | undefined>;
  /** Fixes of what is marked in a range of the text. */
  fixes(range: IRange): readonly Fix[];
}

const hosts = new Map<string, EditorHost>();

export function setHost(model: editor.ITextModel, host: EditorHost): void {
  hosts.set(model.uri.toString(), host);
}

export function removeHost(model: editor.ITextModel): void {
  hosts.delete(model.uri.toString());
}

export function hostOf(model: editor.ITextModel): EditorHost | undefined {
  return hosts.get(model.uri.toString());
}
