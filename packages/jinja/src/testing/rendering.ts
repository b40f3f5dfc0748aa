/** Renders small templates with a fixed set of variables, for tests. */
import { jsonTree } from "./json-tree.ts";
import { compileTemplate } from "../compile/compile.ts";
import { valueOfJson } from "../json-value.ts";
import { Budget, type PythonError, TemplateError } from "../template-error.ts";
import type { Value } from "../value.ts";

const VARIABLES = {
  n: 3,
  s: "Hello World",
  l: [3, 1, 2],
  ls: ["b", "A", "c"],
  d: { b: 2, a: 1 },
  recs: [
    { k: "x", v: 2, ok: true },
    { k: "Y", v: 1, ok: false },
    { k: "x", v: 3, ok: true },
  ],
  f: 2.5,
  no: null,
  x: "outer",
};

/** A table's row: a template with its text, or with the exception it raises. */
export type Row = readonly [template: string, expected: string | Raised];

export interface Raised {
  readonly raises: PythonError;
}

export const raises = (python: PythonError): Raised => ({ raises: python });

export function variables(): Map<string, Value> {
  const root = jsonTree(JSON.stringify(VARIABLES));
  const members = root.kind === "object" ? root.members : [];
  return new Map(members.map((member) => [member.key, valueOfJson(member.node)]));
}

/** The text, or which exception was raised. */
export function rendered(template: string): string | Raised {
  try {
    return compileTemplate(template).render(variables(), new Budget());
  } catch (error) {
    if (error instanceof TemplateError) return raises(error.python);
    throw error;
  }
}
