/** Whether a value can be walked. */
import { PyIterator, type Value } from "../value.ts";
import { lengthOf } from "./iterate.ts";
import { asText } from "./numbers.ts";

export const isWalkable = (value: Value): boolean =>
  value instanceof PyIterator || asText(value) !== undefined || lengthOf(value) !== undefined;
