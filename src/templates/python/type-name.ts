/** Names of types, as Python's error messages give them, and the error that using an undefined value raises. */
import { TemplateError } from "../template-error.ts";
import { Undefined, type Value } from "../value.ts";

/** `type(value).__name__`. */
export function typeName(value: Value): string {
  if (typeof value === "string") return "str";
  if (typeof value === "number" || typeof value === "bigint") return "int";
  if (typeof value === "boolean") return "bool";
  return value === null ? "NoneType" : value.typeName;
}

/** UndefinedError, or SecurityError for what the sandbox refuses: what most uses of an undefined value raise. */
export function undefinedError(value: Undefined): TemplateError {
  return new TemplateError(value.unsafe ? "SecurityError" : "UndefinedError", value.message);
}

/** Raises if one of the operands is undefined. */
export function refuseUndefined(...operands: readonly Value[]): void {
  for (const operand of operands) if (operand instanceof Undefined) throw undefinedError(operand);
}
