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

export const hosts = new WeakMap<editor.ITextModel, EditorHost>();
