/** Which elements equal a fill value. NaN equals NaN here, as it does for who reads a NaN as "nothing". */
import { roundTo } from "./cf-fill.ts";
import type { DataType } from "../metadata/data-type.ts";
import type { JsonValue } from "../json/json.ts";
import { filledElements, variableFill, type VariableElements } from "../values/variable-elements.ts";
import { fillBytes, numbersOf, type ChunkValues } from "../values/values.ts";
import { sameBytes } from "../bytes.ts";

export type FillTest = (index: number) => boolean;

const NEVER: FillTest = () => false;

/** `fillValue` as the metadata write it, `texts` as `Scaling.fillValues` does; either may be empty. */
export function fillTest(values: ChunkValues, fillValue: JsonValue, texts: readonly string[]): FillTest {
  const { numbers, dataType } = values;
  if (values.texts !== undefined) return equalElements(values.texts, fillValue);
  const pattern = fillBytes(fillValue, dataType);
  if (numbers === undefined) return pattern === undefined ? NEVER : equalBytes(values, pattern);
  const own = pattern === undefined ? undefined : numbersOf(pattern, dataType)?.[0];
  const others = texts.flatMap((text) => parseNumber(text, dataType) ?? []);
  const fills = [...new Set<number | bigint>(own === undefined ? others : [own, ...others])];
  const hasNaN = fills.some((fill) => fill !== fill);
  const [first, second, ...rest] = fills;
  if (first === undefined) return NEVER;
  if (rest.length > 0) {
    const set = new Set(fills);
    return (index) => set.has(numbers[index] as number | bigint);
  }
  return (index) => {
    const number = numbers[index];
    return number === first || (second !== undefined && number === second) || (hasNaN && number !== number);
  };
}

function equalElements(elements: VariableElements, fillValue: JsonValue): FillTest {
  const kind = elements.kind ?? (typeof elements.at(0) === "string" ? "text" : "bytes");
  // Python distinguishes the number 0, which zarr-python 2 writes for all objects, from the text "0".
  const fill = kind === "text" && typeof fillValue !== "string" ? undefined : variableFill(fillValue, kind);
  if (fill === undefined) return NEVER;
  const expected = filledElements(fill, kind, 1).at(0);
  return (index) => {
    const element = elements.at(index);
    if (typeof element === "string" || element === undefined) return element === expected;
    return sameBytes(element, fill);
  };
}

function equalBytes({ bytes, dataType: { itemSize } }: ChunkValues, pattern: Uint8Array): FillTest {
  return (index) => {
    const start = index * itemSize;
    for (let at = 0; at < itemSize; at += 1) if (bytes[start + at] !== pattern[at]) return false;
    return true;
  };
}

/**
 * Parses a number into the form in which the type's elements are held: bigint for 64-bit integers, floats rounded to
 * their size.
 */
function parseNumber(text: string, type: DataType): number | bigint | undefined {
  if (type.kind === "float") {
    const number = text === "nan" ? NaN : Number(text.replace("inf", "Infinity"));
    // The shortest text of a float names it only once rounded to its size.
    return roundTo(number, type.itemSize);
  }
  if (!/^-?\d+$/.test(text)) return undefined;
  return type.itemSize === 8 ? BigInt(text) : Number(text);
}
