/** Calling values. */
import { type Budget, typeError } from "../template-error.ts";
import { type Arguments, PyCallable, refuseUndefined, typeName, type Value } from "../value.ts";
import { isObject } from "./sequences.ts";

/** `value(*positional, **named)`: TypeError where it cannot be called. */
export function callValue(value: Value, given: Arguments, budget: Budget): Value {
  budget.spend(1);
  if (value instanceof PyCallable) return value.call(given);
  if (isObject(value) && value.call !== undefined) return value.call(given);
  refuseUndefined(value);
  throw typeError(`'${typeName(value)}' object is not callable`);
}
