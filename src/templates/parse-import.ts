/**
 * `include`, `extends`, `import` and `from`: read in full, so that what is wrong for Jinja2 is wrong here. None can work
 * in a template without a loader, which is all that readers of references have.
 */
import type { Cursor, NameToken } from "./parse-cursor.ts";
import { parseNewName } from "./parse-target.ts";
import { TemplateError } from "./template-error.ts";
import type { Unsupported } from "./tree.ts";

/** `tag`: the statement's name, already taken. `start`: of its `{%`. */
export function parseImport(cursor: Cursor, tag: NameToken, start: number): Unsupported {
  cursor.parseExpression();
  if (tag.text === "include") parseIncludeOptions(cursor);
  if (tag.text === "import") parseImportName(cursor);
  if (tag.text === "from") parseImportedNames(cursor);
  cursor.expectClose();
  return { kind: "unsupported", statement: tag.text, ...cursor.spanFrom(start) };
}

function parseIncludeOptions(cursor: Cursor): void {
  if (cursor.isWord("ignore") && isNext(cursor, "missing")) takeTwo(cursor);
  takeContext(cursor);
}

function parseImportName(cursor: Cursor): void {
  cursor.expectWord("as");
  parseNewName(cursor);
  takeContext(cursor);
}

function parseImportedNames(cursor: Cursor): void {
  cursor.expectWord("import");
  for (let first = true; ; first = false) {
    if (!first) cursor.expectOperator(",");
    if (takeContext(cursor)) return;
    parseImportedName(cursor);
    if (takeContext(cursor) || !cursor.isOperator(",")) return;
  }
}

function parseImportedName(cursor: Cursor): void {
  const token = parseNewName(cursor);
  if (token.text.startsWith("_")) {
    const { start, end } = token;
    const message = `"${token.text}" cannot be imported, as it begins with an underscore.`;
    throw new TemplateError("TemplateAssertionError", message, { start, end });
  }
  if (cursor.takeWord("as")) parseNewName(cursor);
}

/** `with context`, `without context` */
function takeContext(cursor: Cursor): boolean {
  const found = cursor.isOneOf(["with", "without"]) && isNext(cursor, "context");
  if (found) takeTwo(cursor);
  return found;
}

function takeTwo(cursor: Cursor): void {
  cursor.advance();
  cursor.advance();
}

function isNext(cursor: Cursor, word: string): boolean {
  const next = cursor.look();
  return next.kind === "name" && next.text === word;
}
