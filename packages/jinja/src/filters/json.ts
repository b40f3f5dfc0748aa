/** `tojson`: as Python's `json.dumps(value, sort_keys=True)`, made safe for HTML. */
import { bound } from "../compile/bind-arguments.ts";
import { asInteger, asText, floatText, str, tupleItems, typeName } from "../python/index.ts";
import type { Filter, Run } from "../run.ts";
import { type Budget, typeError, valueError } from "../template-error.ts";
import { Markup, PyDict, PyFloat, PyList, type Value } from "../value.ts";
import { sorted } from "./attribute.ts";

interface Writing {
  readonly run: Run;
  /** One level's indentation, undefined for everything on one line. */
  readonly indent: string | undefined;
  readonly open: Set<Value>;
}

export const tojson: Filter = bound("do_tojson(indent?)", (run, value, [indent = null]) => {
  // Python takes a shorter way for texts, and never looks at `indent`.
  const text = write(value, "\n", {
    run,
    indent: asText(value) !== undefined ? undefined : indentText(indent),
    open: new Set(),
  });
  run.budget.characters(text.length);
  const safe = text.replaceAll(/[<>&']/g, (character) => `\\u00${character.charCodeAt(0).toString(16)}`);
  return new Markup(safe);
});

function indentText(indent: Value): string | undefined {
  if (indent === null) return undefined;
  if (typeof indent === "string") return indent;
  const width = asInteger(indent);
  if (width === undefined) throw typeError(`can't multiply sequence by non-int of type '${typeName(indent)}'`);
  return " ".repeat(Math.min(1000, Math.max(0, Number(width))));
}

/** `line`: a new line with the indentation of what is around. */
function write(value: Value, line: string, writing: Writing): string {
  const { budget } = writing.run;
  budget.spend(1);
  if (value === null) return "null";
  if (typeof value === "boolean") return value ? "true" : "false";
  if (typeof value === "number" || typeof value === "bigint") return str(value, budget);
  if (typeof value === "string") return jsonText(value, budget);
  if (value instanceof Markup) return jsonText(value.text, budget);
  if (value instanceof PyFloat) return jsonFloat(value.value);
  const items = value instanceof PyList ? value.items : tupleItems(value);
  if (items !== undefined) {
    return nested(value, writing, () =>
      wrap("[]", line, writing, (inner) => items.map((item) => write(item, inner, writing))),
    );
  }
  if (value instanceof PyDict) {
    return nested(value, writing, () => wrap("{}", line, writing, (inner) => members(value, inner, writing)));
  }
  throw typeError(`Object of type ${typeName(value)} is not JSON serializable`);
}

function nested(value: Value, writing: Writing, work: () => string): string {
  if (writing.open.has(value)) throw valueError("Circular reference detected");
  writing.open.add(value);
  writing.run.budget.enter();
  const text = work();
  writing.run.budget.leave();
  writing.open.delete(value);
  return text;
}

function wrap(brackets: string, line: string, { indent }: Writing, parts: (line: string) => readonly string[]): string {
  const inner = line + (indent ?? "");
  const written = parts(inner);
  if (written.length === 0) return brackets;
  const [open = "", close = ""] = brackets;
  if (indent === undefined) return open + written.join(", ") + close;
  return open + inner + written.join(`,${inner}`) + line + close;
}

function members(dict: PyDict, line: string, writing: Writing): string[] {
  return sorted(writing.run, [...dict.entries()], ({ key }) => key).map(
    ({ key, value }) => `${jsonText(keyText(key, writing), writing.run.budget)}: ${write(value, line, writing)}`,
  );
}

function keyText(key: Value, writing: Writing): string {
  if (typeof key === "string") return key;
  if (key instanceof Markup) return key.text;
  if (key instanceof PyFloat) return jsonFloat(key.value);
  if (key === null) return "null";
  if (typeof key === "boolean") return key ? "true" : "false";
  if (typeof key === "number" || typeof key === "bigint") return str(key, writing.run.budget);
  throw typeError(`keys must be str, int, float, bool or None, not ${typeName(key)}`);
}

function jsonFloat(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (Number.isFinite(value)) return floatText(value);
  return value > 0 ? "Infinity" : "-Infinity";
}

function jsonText(text: string, budget: Budget): string {
  budget.characters(text.length);
  const plain = JSON.stringify(text);
  return plain.replaceAll(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
