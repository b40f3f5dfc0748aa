/** Hover at the mouse: the engine's words in strings, else the property's description. */
import { hosts } from "./hosts.ts";
import { jsonHover } from "./json-service.ts";
import { Range, type editor, type IMarkdownString, type languages, type Position } from "./monaco.ts";
import { markdownOf } from "./plain-markdown.ts";
import { placeInLine } from "./tokens.ts";

export async function hovers(model: editor.ITextModel, position: Position): Promise<languages.Hover | undefined> {
  const version = model.getVersionId();
  const place = placeInLine(model.getLineContent(position.lineNumber), position.column);
  const hover = place.kind === "json" ? undefined : await hosts.get(model)?.hover(model.getOffsetAt(position));
  if (model.isDisposed() || model.getVersionId() !== version) return undefined;
  if (hover === undefined) return place.kind === "tag" ? undefined : jsonHover(model, position);
  const range = Range.fromPositions(model.getPositionAt(hover.start), model.getPositionAt(hover.end));
  const contents: IMarkdownString[] = [{ value: markdownOf(hover.lines), supportHtml: false, isTrusted: false }];
  return { range, contents };
}
