/** Tests one commit by the part of a check that can find what is wrong. */
import type { BisectPlan, BisectState, BisectTest, ValueCondition } from "#core/bisect.ts";
import type { CallContext } from "#core/byte-source.ts";
import { failure, type Finding, isOfExpectation, nodeAt, nodeOf, RefscopeError } from "#core/findings/finding.ts";
import { selectedCount } from "#core/plane/selection.ts";
import type { ChunkDecoder } from "#engine/chunk/chunk-decoder.ts";
import type { EngineSet } from "#engine/engine-set.ts";
import { plainText, readPart } from "#engine/many/array-part.ts";
import { typedSelection } from "#engine/many/typed-selection.ts";
import { startPace } from "#engine/pace.ts";
import { checkSet } from "../check-set.ts";
import { valuesCost } from "../values/values-cost.ts";

export type Reads = BisectPlan["reads"];
type State = Omit<BisectState, "commit">;
type FindingTest = Extract<BisectTest, { kind: "finding" }>;
type ValueTest = Extract<BisectTest, { kind: "value" }>;

/** A finding that the references of the open commit show needs no more elsewhere either. */
export async function costOfTest(
  set: EngineSet,
  test: BisectTest,
  decoder: ChunkDecoder,
  context: CallContext,
): Promise<Pick<BisectPlan, "reads" | "chunks" | "bytes">> {
  const nothing = { reads: "references", chunks: 0, bytes: 0 } as const;
  if (test.kind === "expectation") return nothing;
  if (test.kind === "finding" && (await stateOf(set, test, "references", decoder, context)).isBad) return nothing;
  const { array } = test;
  const cost = await valuesCost(set, { chunks: "all", ...(array !== undefined && { array }) }, context);
  return { reads: "values", chunks: cost.chunks, bytes: cost.bytes };
}

/** An array that is not there, or a step that was not yet appended, is not bad. */
export async function stateOf(...asked: Parameters<typeof statedState>): Promise<State> {
  try {
    return await statedState(...asked);
  } catch (error) {
    if (error instanceof RefscopeError && isAbsence(error)) return { isBad: false, isAbsent: true };
    throw error;
  }
}

const isAbsence = ({ code }: RefscopeError): boolean => code === "no-such-array" || code === "selection-invalid";

/** Throws `no-such-array`, or `selection-invalid`, where there is nothing that could be bad. */
export function statedState(
  set: EngineSet,
  test: BisectTest,
  reads: Reads,
  decoder: ChunkDecoder,
  context: CallContext,
): Promise<State> {
  if (test.kind === "value") return valueState(set, test, decoder, context);
  return findingState(set, test, reads, decoder, context);
}

async function findingState(
  set: EngineSet,
  test: Exclude<BisectTest, ValueTest>,
  reads: Reads,
  decoder: ChunkDecoder,
  context: CallContext,
): Promise<State> {
  const array = test.kind === "finding" ? test.array : undefined;
  const deep = reads === "values" ? { chunks: "all" as const, ...(array !== undefined && { array }) } : undefined;
  const { findings } = await checkSet(
    set,
    { decoder, deep, expectation: test.kind === "expectation" ? test : undefined },
    context,
  );
  const found = findings.find((one) => (test.kind === "finding" ? isMeant(one, test) : isOfExpectation(one)));
  if (found !== undefined) return { isBad: true, finding: found };
  if (array !== undefined && !set.hierarchy.nodes.has(array))
    throw failure("no-such-array", nodeAt(array), { found: "nothing" });
  return { isBad: false };
}

function isMeant(
  { code, place, places = [place], extent }: Finding,
  { code: wanted, array, chunk }: FindingTest,
): boolean {
  if (code !== wanted) return false;
  if (array === undefined) return true;
  const boxes = (extent?.arrays ?? []).filter((one) => one.array === array);
  const here = places.filter((one) => nodeOf(one) === array);
  if (chunk === undefined) return here.length + boxes.length > 0;
  const isAt = (one: (typeof places)[number]) => one.kind === "chunk" && one.coordinates.join() === chunk.join();
  const isIn = ({ from, to }: (typeof boxes)[number]) =>
    chunk.every((at, axis) => at >= (from[axis] ?? Infinity) && at <= (to[axis] ?? -1));
  return here.some(isAt) || (boxes.length > 0 ? boxes.some(isIn) : here.some(({ kind }) => kind === "node"));
}

// Values of a selection.

const MAX_SHOWN = 4;

async function valueState(
  set: EngineSet,
  { array, select, is }: ValueTest,
  decoder: ChunkDecoder,
  context: CallContext,
): Promise<State> {
  const node = set.hierarchy.nodes.get(array);
  if (node?.kind !== "array")
    throw failure("no-such-array", nodeAt(array), { found: node?.kind === "group" ? "group" : "nothing" });
  const { selection } = await typedSelection(select, { set, node, decoder }, context);
  const part = await readPart({ set, node, selection, cf: true, decoder }, context);
  const [failed] = part.failed.values();
  if (failed !== undefined) throw new RefscopeError(failed);
  const count = selectedCount(selection);
  const textAt = (index: number): string => plainText(part.json(index));
  const pace = startPace(context, "Testing values", count);
  let at = 0;
  for (; at < count && !meets(textAt(at), is); at += 1) if ((at & 4095) === 0) await pace.yieldIfDue(at);
  const isBad = at < count;
  const from = isBad ? at : 0;
  const values = Array.from({ length: Math.min(MAX_SHOWN, count - from) }, (_, index) => textAt(from + index));
  return { isBad, values };
}

/** Numbers are equal that single precision does not tell apart; integers are exact. */
const SAME = 2 ** -23;

const isSameNumber = (a: number, b: number): boolean =>
  a === b ||
  (!(Number.isSafeInteger(a) && Number.isSafeInteger(b)) &&
    Math.abs(a - b) <= SAME * Math.max(Math.abs(a), Math.abs(b)));

/** `text`: of a value. */
export function meets(text: string, { operator, value }: ValueCondition): boolean {
  const isMissing = text === "null" || text === "NaN" || text === "";
  if (value === null) return isMissing === (operator === "=");
  const number = Number(text);
  if (typeof value === "string" || isMissing || Number.isNaN(number))
    return operator === "=" ? text === String(value) : operator === "!=" && text !== String(value);
  const isSame = isSameNumber(number, value);
  if (operator === "=" || operator === "!=") return isSame === (operator === "=");
  if (operator.endsWith("=") && isSame) return true;
  return operator.startsWith("<") ? number < value : number > value;
}
