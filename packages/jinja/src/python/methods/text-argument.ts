/** Arguments of `str`'s methods. */
import { typeError } from "../../template-error.ts";
import { refuseUndefined, typeName, type Value } from "../../value.ts";
import { asText, indexOf, sizeOf } from "../numbers.ts";

/** A text argument: TypeError for all else. */
export function textArgument(value: Value | undefined, what: string): string {
  const text = asText(value ?? null);
  if (text !== undefined) return text;
  throw typeError(`${what} must be str, not ${typeName(value ?? null)}`);
}

/** A text argument that may be None or left out. */
export function optionalText(value: Value | undefined, what: string): string | undefined {
  return value === undefined || value === null ? undefined : textArgument(value, what);
}

/** A count: how often, how wide. */
export function countArgument(value: Value | undefined, otherwise: number): number {
  return value === undefined ? otherwise : sizeOf(value);
}

/** Any truth value is an integer here: `keepends`, `reverse`. */
export function flagArgument(value: Value | undefined): boolean {
  if (value === undefined) return false;
  refuseUndefined(value);
  return indexOf(value) !== 0;
}
