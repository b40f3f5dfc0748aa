/** Python's values: what the evaluator, the filters and the tests are made of. */
export { attributeOrItem, getAttribute, isUnsafeAttribute, itemOrAttribute } from "./access.ts";
export { add, divide, floorDivide, modulo, multiply, negate, positive, power, subtract } from "./arithmetic.ts";
export { callValue } from "./call.ts";
export { codePointLength, codePointSlice, isPlain } from "./code-points.ts";
export { compare, contains, equal, identical, truth, type Order } from "./equality.ts";
export { escapeText } from "./escape.ts";
export { floatText } from "./float-text.ts";
export { formatValue } from "./format-spec.ts";
export { hashKey } from "./hash-key.ts";
export { getItem, getSlice } from "./items.ts";
export { iterate, length, lengthOf, listOf, rangeLength } from "./iterate.ts";
export { updateDict } from "./methods/dict-methods.ts";
export { getMethod } from "./methods/get-method.ts";
export { titleCase } from "./methods/text-case.ts";
export {
  asInteger,
  asText,
  definedIndex,
  floatFromText,
  indexOf,
  integerText,
  intFromText,
  SPACES,
  toFloat,
  toInt,
} from "./numbers.ts";
export { percentFormat } from "./percent-format.ts";
export { quote } from "./quote.ts";
export { isObject, tupleItems } from "./sequences.ts";
export { sortedBy } from "./sort.ts";
export { strFormat, type FieldStep, type Resolve } from "./str-format.ts";
export { ascii, repr, str } from "./text.ts";
export { typeName, undefinedError } from "./type-name.ts";
export { isWalkable } from "./walkable.ts";
