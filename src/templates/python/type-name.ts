/** Names of types, as Python's error messages tell them, and the error that using an undefined value raises. */
import { TemplateError } from "../template-error.ts";
import {
  Markup,
  PyCallable,
  PyDict,
  PyFloat,
  PyIterator,
  PyList,
  PyRange,
  PyTuple,
  PyView,
  Undefined,
  type Value,
} from "../value.ts";

/** `type(value).__name__`. */
export function typeName(value: Value): string {
  if (typeof value === "string") return "str";
  if (typeof value === "number" || typeof value === "bigint") return "int";
  if (typeof value === "boolean") return "bool";
  return value === null ? "NoneType" : objectTypeName(value);
}

function objectTypeName(value: Exclude<Value, null | boolean | number | bigint | string>): string {
  if (value instanceof PyFloat) return "float";
  if (value instanceof PyList) return "list";
  if (value instanceof PyTuple) return "tuple";
  if (value instanceof PyDict) return "dict";
  if (value instanceof PyRange) return "range";
  if (value instanceof PyView) return `dict_${value.what}`;
  if (value instanceof PyIterator) return "generator";
  if (value instanceof PyCallable) return callableTypeName(value.text);
  if (value instanceof Markup) return "Markup";
  if (value instanceof Undefined) return "Undefined";
  return value.typeName;
}

/** A callable is told by its text. */
function callableTypeName(text: string): string {
  if (text.startsWith("<class ")) return "type";
  if (text.startsWith("<built-in ")) return "builtin_function_or_method";
  if (text.startsWith("<Macro ")) return "Macro";
  return text.startsWith("<bound method ") ? "method" : "function";
}

/** UndefinedError, or SecurityError for what the sandbox refuses: what most uses of an undefined value raise. */
export function undefinedError(value: Undefined): TemplateError {
  return new TemplateError(value.unsafe ? "SecurityError" : "UndefinedError", value.message);
}

/** Raises if one of the operands is undefined. */
export function refuseUndefined(...operands: readonly Value[]): void {
  for (const operand of operands) if (operand instanceof Undefined) throw undefinedError(operand);
}
