/** `format(value, spec)`: Python's "Format Specification Mini-Language". */
import type { Budget } from "../budget.ts";
import { typeError, valueError } from "../template-error.ts";
import { PyFloat, type Value } from "../value.ts";
import { codePointLength, codePointSlice } from "./code-points.ts";
import { formatFloat, formatInteger } from "./format-number.ts";
import { alignField, readSpec, type Spec } from "./format-field.ts";
import { asInteger, asText } from "./numbers.ts";
import { str } from "./text.ts";
import { typeName } from "./type-name.ts";

/** ValueError for a spec that does not fit the type, TypeError for types that take none. */
export function formatValue(value: Value, spec: string, budget: Budget): string {
  if (spec === "") return str(value, budget);
  const text = asText(value);
  if (text !== undefined) return formatText(text, readSpec(spec, "str"), budget);
  const whole = asInteger(value);
  if (whole !== undefined) return formatInteger(whole, readSpec(spec, typeName(value)), budget);
  if (value instanceof PyFloat) return formatFloat(value.value, readSpec(spec, "float"), budget);
  throw typeError(`unsupported format string passed to ${typeName(value)}.__format__`);
}

function formatText(text: string, spec: Spec, budget: Budget): string {
  checkTextSpec(spec);
  const cut =
    spec.precision === undefined || spec.precision >= text.length
      ? text
      : codePointSlice(text, 0, Math.min(spec.precision, codePointLength(text, budget)), budget);
  return alignField({ prefix: "", body: cut }, spec, "<", budget);
}

function checkTextSpec(spec: Spec): void {
  if (spec.type !== "" && spec.type !== "s") {
    throw valueError(`Unknown format code '${spec.type}' for object of type 'str'`);
  }
  if (spec.sign === " ") throw valueError("Space not allowed in string format specifier");
  if (spec.sign !== "") throw valueError("Sign not allowed in string format specifier");
  if (spec.noNegativeZero) throw valueError("Negative zero coercion (z) not allowed in string format specifier");
  if (spec.alternate) throw valueError("Alternate form (#) not allowed in string format specifier");
  if (spec.align === "=") throw valueError("'=' alignment not allowed in string format specifier");
  if (spec.grouping !== "") throw valueError(`Cannot specify '${spec.grouping}' with 's'.`);
}
