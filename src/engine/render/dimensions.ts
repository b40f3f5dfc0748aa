/** The dimensions of a gen as fsspec makes them: `range(start, stop, step)`, or a list as it stands. */
import type { JsonNode } from "#core/json/json.ts";
import { integer, valueOfJson, type Integer, type Value } from "@refscope/jinja";
import { dictOf, isInteger, pythonType } from "./json-types.ts";
import { FsspecError } from "./render-findings.ts";
import { isMutable } from "./templates.ts";

export interface Dimension {
  readonly name: string;
  readonly count: bigint;
  /** True if a value is a list or dict, which rendering may change. */
  readonly mutable: boolean;
  readonly at: (index: number) => Value;
}

/** `sys.maxsize`: longer ranges have no length in Python. */
const MAX_ITEMS = (1n << 63n) - 1n;

/** Dimensions in order of the document. Throws the errors that fsspec raises. */
export function readDimensions(node: JsonNode): Dimension[] {
  const dimensions = [...dictOf(node)].map(([name, value]) => dimensionOf(name, value));
  if (dimensions.some(({ count }) => count > MAX_ITEMS)) {
    throw new FsspecError("OverflowError", "Python int too large to convert to C ssize_t");
  }
  return dimensions;
}

function dimensionOf(name: string, node: JsonNode): Dimension {
  return node.kind === "array" ? listDimension(name, node.items.map(valueOfJson)) : rangeDimension(name, node);
}

function listDimension(name: string, values: readonly Value[]): Dimension {
  const at = (index: number): Value => values[index] ?? null;
  return { name, count: BigInt(values.length), mutable: values.some(isMutable), at };
}

function rangeDimension(name: string, node: JsonNode): Dimension {
  const members = dictOf(node, "get");
  const stopNode = members.get("stop");
  if (stopNode === undefined) throw new FsspecError("KeyError", "'stop'");
  const start = indexOf(members.get("start")) ?? 0n;
  const stop = indexOf(stopNode) ?? 0n;
  const step = indexOf(members.get("step")) ?? 1n;
  if (step === 0n) throw new FsspecError("ValueError", "range() arg 3 must not be zero");
  const count = rangeCount(start, stop, step);
  return { name, count, mutable: false, at: rangeAt(start, step, count) };
}

function rangeCount(start: bigint, stop: bigint, step: bigint): bigint {
  const span = step > 0n ? stop - start : start - stop;
  const size = step > 0n ? step : -step;
  return span <= 0n ? 0n : (span + size - 1n) / size;
}

function rangeAt(start: bigint, step: bigint, count: bigint): (index: number) => Integer {
  const first = integer(start);
  const by = integer(step);
  const last = integer(start + step * (count > 0n ? count - 1n : 0n));
  if (typeof first === "number" && typeof by === "number" && typeof last === "number") {
    return (index) => first + index * by;
  }
  return (index) => integer(start + step * BigInt(index));
}

/** `operator.index`: ints and booleans only. */
function indexOf(node: JsonNode | undefined): bigint | undefined {
  if (node === undefined) return undefined;
  if (node.kind === "number" && isInteger(node.text)) return BigInt(node.value);
  if (node.kind === "scalar" && typeof node.value === "boolean") return node.value ? 1n : 0n;
  throw new FsspecError("TypeError", `'${pythonType(node)}' object cannot be interpreted as an integer`);
}
