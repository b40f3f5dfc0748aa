/** From a template's text to its tree, after the grammar of Jinja2 3.1 without extensions. */
import { Cursor } from "./parse-cursor.ts";
import { parseExpression } from "./parse-expression.ts";
import { parseStatements } from "./parse-statement.ts";
import type { TemplateTree } from "./tree.ts";

/**
 * The tree of `source`. Spans are offsets into `source` as given.
 *
 * Throws TemplateError with its span: TemplateSyntaxError where Jinja2 (or Python, compiling what Jinja2 makes of it)
 * refuses the template, TemplateAssertionError for imports of `_names`, ValueError for integers of more than 4,300
 * digits, RecursionError where things lie too deep in each other, Unsupported for string escapes not built here.
 */
export function parseTemplate(source: string): TemplateTree {
  const cursor = new Cursor(source, parseExpression);
  return { source, body: parseStatements(cursor, []) };
}
