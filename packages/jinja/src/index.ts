/** Jinja2's language with Python's values, as the sandbox of Jinja2 3.1.2 renders it; no code is ever generated. */
import { FILTERS } from "./filters/index.ts";
import { GLOBALS } from "./globals.ts";
import { TESTS } from "./is-tests/index.ts";

export { compileTemplate, evaluateOutput, type Template } from "./compile/compile.ts";
export { Budget } from "./template-error.ts";
export { dictOf, valueOfJson } from "./json-value.ts";
export { parseTemplate } from "./parse/parse-template.ts";
export { TemplateError, type PythonError } from "./template-error.ts";
export type { Expression, Output, Span, Statement, TemplateTree } from "./tree.ts";
export * from "./value.ts";

export const FILTER_NAMES: readonly string[] = [...FILTERS.keys()].sort();
export const TEST_NAMES: readonly string[] = [...TESTS.keys()].sort();
export const GLOBAL_NAMES: readonly string[] = [...GLOBALS.keys()].sort();
