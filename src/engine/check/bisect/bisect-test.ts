/** Tests one commit by the part of a check that can find what is wrong. */
import type { BisectPlan, BisectState, BisectTest, ValueCondition } from "#core/bisect.ts";
import type { CallContext } from "#core/byte-source.ts";
import { type Finding, isOfExpectation, nodeOf, RefscopeError } from "#core/findings/finding.ts";
import { selectedCount } from "#core/plane/selection.ts";
import type { ChunkDecoder } from "#engine/chunk/chunk-decoder.ts";
import type { EngineSet } from "#engine/engine-set.ts";
import { plainText, readPart } from "#engine/many/array-part.ts";
import { typedSelection } from "#engine/many/typed-selection.ts";
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

export function stateOf(
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
  const isAbsent = array !== undefined && set.hierarchy.nodes.get(array)?.kind === undefined;
  const deep = reads === "values" ? { chunks: "all" as const, ...(array !== undefined && { array }) } : undefined;
  const { findings } = await checkSet(
    set,
    { decoder, deep, expectation: test.kind === "expectation" ? test : undefined },
    context,
  );
  const found = findings.find((one) => (test.kind === "finding" ? isMeant(one, test) : isOfExpectation(one)));
  return { isBad: found !== undefined, ...(found !== undefined && { finding: found }), ...(isAbsent && { isAbsent }) };
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

const [MAX_ELEMENTS, MAX_SHOWN] = [1_000_000, 4];

async function valueState(
  set: EngineSet,
  { array, select, is }: ValueTest,
  decoder: ChunkDecoder,
  context: CallContext,
): Promise<State> {
  const node = set.hierarchy.nodes.get(array);
  if (node?.kind !== "array") return { isBad: false, isAbsent: true };
  const selection = await typedSelection(select, { set, node, decoder }, context).catch((error: unknown) => {
    // A step that was not yet appended has no value.
    if (error instanceof RefscopeError && error.code === "selection-invalid") return undefined;
    throw error;
  });
  if (selection === undefined) return { isBad: false, isAbsent: true };
  const part = await readPart({ set, node, selection: selection.selection, cf: true, decoder }, context);
  const [failed] = part.failed.values();
  if (failed !== undefined) throw new RefscopeError(failed);
  const count = Math.min(MAX_ELEMENTS, selectedCount(selection.selection));
  const values = Array.from({ length: count }, (_, index) => plainText(part.json(index)));
  const at = values.findIndex((value) => meets(value, is));
  const shown = values.slice(Math.max(0, at), Math.max(0, at) + MAX_SHOWN);
  return { isBad: at >= 0, values: shown };
}

/** Numbers are equal that differ by less than single precision shows. */
const SAME = 1e-6;

function meets(text: string, { operator, value }: ValueCondition): boolean {
  const isMissing = text === "null" || text === "NaN" || text === "";
  if (value === null) return isMissing === (operator === "=");
  const number = Number(text);
  if (typeof value === "string" || isMissing || Number.isNaN(number))
    return operator === "=" ? text === String(value) : operator === "!=" && text !== String(value);
  const isSame = Math.abs(number - value) <= SAME * Math.max(Math.abs(number), Math.abs(value));
  if (operator === "=" || operator === "!=") return isSame === (operator === "=");
  if (operator.endsWith("=") && isSame) return true;
  return operator.startsWith("<") ? number < value : number > value;
}
