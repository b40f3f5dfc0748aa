/** The deep check: chunks are read and decoded, and their values compared across chunks and files. */
import type { CallContext } from "#core/byte-source.ts";
import type { CheckPart } from "#core/check/check.ts";
import { coordinatesOf } from "#core/metadata/chunk-grid.ts";
import { FindingLog } from "#core/findings/finding-log.ts";
import { type Finding, isAbort } from "#core/findings/finding.ts";
import { outOfReach, isUnbuilt } from "#core/findings/out-of-reach.ts";
import type { RuleCoverage } from "#core/open-set.ts";
import { aboutChunk } from "#engine/chunk/load-chunk.ts";
import { type EngineSet, isDataFile } from "#engine/engine-set.ts";
import { isOfSilentHost, readChunks, type ReadOutcome } from "#engine/many/read-chunks.ts";
import { noteReading } from "#engine/many/reading-notes.ts";
import { explainFailures, type Failure } from "./explain-failures.ts";
import { noteChunk } from "./note-chunk.ts";
import { drawnAmong, planValues, type ValuesRequest } from "./plan.ts";
import { boundarySteps } from "./rules/boundary-steps.ts";
import { changedSteps } from "./rules/changed-steps.ts";
import { coordinates } from "./rules/coordinates.ts";
import { emptyChunks } from "./rules/empty-chunks.ts";
import { fileEnds } from "./rules/file-ends.ts";
import { fileDates } from "./rules/file-dates.ts";
import { fillValues, maskedZeros } from "./rules/fill-values.ts";
import { lostChunks } from "./rules/lost-chunks.ts";
import { misread } from "./rules/misread.ts";
import { repeatedSteps, shiftedSteps, turnedRows } from "./rules/odd-steps.ts";
import { otherOrder, otherType, shiftedRows } from "./rules/declared-otherwise.ts";
import { shardIndexes, textForData } from "./rules/text-for-data.ts";
import { swappedChunks, swappedFiles } from "./rules/swapped-files.ts";
import { unlikeOthers } from "./rules/unlike-others.ts";
import { validRange, wildValues } from "./rules/wild-values.ts";
import { arrayFacts, CHUNK_DECODED, CHUNK_FAILED, CHUNK_UNMEASURED, slotOf } from "./value-facts.ts";
import type { ArrayFacts, PlannedArray } from "./value-facts.ts";
import { Ledger } from "#engine/rules/ledger.ts";
import { ruleFailed } from "#engine/rules/rule.ts";
import { isOpen, type ValueRule, type ValuesView } from "./value-rule.ts";

/** Failures that are kept one by one; all are counted. */
const MAX_FAILURES = 10_000;

export async function checkValues(set: EngineSet, request: ValuesRequest, context: CallContext): Promise<CheckPart> {
  const planned = await planValues(set, request, context);
  const chunks = planned.reduce((sum, { ordinals }) => sum + ordinals.length, 0);
  const ledger = new Ledger(set);
  const facts = planned.map((one) => arrayFacts(one, chunks, set, ledger));
  const read = await readAll(set, facts, request, context);
  request.onFacts?.(facts);
  const view = { set, facts, context };
  for (const found of read.noticed.list()) ledger.note(found);
  for (const found of await explainFailures(view, read.failures)) ledger.note(found);
  const compared = await compareValues(view, ledger);
  const of = planned.reduce((sum, one) => sum + one.of, 0);
  const { failed, unbuilt, unreached, done } = read;
  const drawn = drawnOf(planned, request);
  return {
    findings: ledger.findings(),
    rules: [
      { rule: "decode", unit: "references", of, lookedAt: done - unreached, sampled: done < of ? done - unreached : 0 },
      ...compared,
    ],
    read: read.read,
    chunks: {
      of,
      decoded: done - failed - unbuilt - unreached,
      failed,
      ...(unbuilt > 0 && { unbuilt }),
      ...(unreached > 0 && { unreached }),
      ...(drawn < Infinity && { drawn }),
    },
    withoutZeros: facts.filter((one) => hasNoZero(set, one)).map(({ node }) => node.path),
  };
}

/** Chunks requested by name, or chosen for their length, stand for no others. */
function drawnOf(planned: readonly PlannedArray[], { only, array }: ValuesRequest): number {
  if (only !== undefined || array !== undefined) return Infinity;
  return Math.min(...planned.flatMap((one) => (one.ordinals.length < one.of ? [drawnAmong(one.ordinals.length)] : [])));
}

/** Known only where every chunk that there is was decoded. */
function hasNoZero({ tally }: EngineSet, { node, of, states, columns }: ArrayFacts): boolean {
  const { unknown = NaN } = tally.arrays.get(node.path)?.states ?? {};
  const isAll = unknown === 0 && states.length === of && states.every((one) => one === CHUNK_DECODED);
  return isAll && columns.zeros.every((zeros) => zeros === 0);
}

async function readAll(
  set: EngineSet,
  facts: readonly ArrayFacts[],
  { decoder, stop }: Pick<ValuesRequest, "decoder" | "stop">,
  context: CallContext,
) {
  const total = facts.reduce((sum, { ordinals }) => sum + ordinals.length, 0);
  const failures: Failure[] = [];
  const noticed = new FindingLog();
  const reading = stop === undefined ? context : { ...context, signal: AbortSignal.any([context.signal, stop]) };
  let [done, failed, unbuilt, unreached] = [0, 0, 0, 0];
  const read = { chunks: 0, bytes: 0 };
  for (const own of facts) {
    const { node, ordinals } = own;
    if (ordinals.length === 0 || stop?.aborted === true) continue;
    const give = (outcome: ReadOutcome) => {
      const slot = slotOf(own, outcome.chunk.ordinal);
      if (!isOfSilentHost(outcome)) noteReading(set, node.path, outcome);
      read.chunks += Number(outcome.stored !== undefined);
      read.bytes += outcome.stored ?? 0;
      noticed.addAll(outcome.findings.filter(isWorthwhile));
      const isOut = outcome.kind === "failed" && outOfReach(outcome.error) !== undefined;
      if (outcome.kind === "failed" && (isOut || isUnbuilt(outcome.error))) {
        // Nothing is known of the chunk: it is neither right nor wrong.
        if (isOut) unreached += 1;
        else unbuilt += 1;
        noticed.add(aboutChunk(outcome.error, outcome.chunk));
        if (slot >= 0 && !isOut) own.states[slot] = CHUNK_UNMEASURED;
      } else if (outcome.kind === "failed") {
        failed += 1;
        if (slot >= 0) own.states[slot] = CHUNK_FAILED;
        const { chunk, error } = outcome;
        if (failures.length < MAX_FAILURES) failures.push({ facts: own, slot, chunk, error: aboutChunk(error, chunk) });
      } else if (outcome.kind === "missing") own.states[slot] = CHUNK_UNMEASURED;
      else if (slot >= 0) noteChunk(own, slot, outcome.chunk.coordinates, outcome.decoded);
      done += 1;
      context.report({ label: `Reading ${node.path}`, done, total, unit: "chunks" });
    };
    await readChunks({ set, node, chunks: chunksOf(own), decoder, give }, reading).catch((error: unknown) => {
      if (!isAbort(error) || stop?.aborted !== true || context.signal.aborted) throw error;
    });
  }
  return { failures, failed, unbuilt, unreached, done, noticed, read };
}

function* chunksOf({ grid, ordinals }: ArrayFacts) {
  for (const ordinal of ordinals) yield coordinatesOf(grid, ordinal);
}

/** A property of every chunk of a set says nothing about one. */
const isWorthwhile = ({ code }: Finding): boolean => code !== "target-matched-by-name";

// Runs the rules over decoded chunks: those that are certain first, each leaving out what is explained already.

export const VALUE_RULES: readonly ValueRule[] = [
  shardIndexes,
  textForData,
  misread,
  otherType,
  otherOrder,
  shiftedRows,
  coordinates,
  fileEnds,
  fileDates,
  emptyChunks,
  lostChunks,
  fillValues,
  maskedZeros,
  wildValues,
  changedSteps,
  turnedRows,
  swappedFiles,
  swappedChunks,
  shiftedSteps,
  boundarySteps,
  unlikeOthers,
  validRange,
  repeatedSteps,
];

async function compareValues(view: ValuesView, ledger: Ledger): Promise<readonly RuleCoverage[]> {
  const chunks = view.facts.reduce((sum, { states }) => sum + states.length, 0);
  const decoded = view.facts.reduce((sum, { states }) => sum + states.filter((one) => one === CHUNK_DECODED).length, 0);
  for (const rule of VALUE_RULES) {
    view.context.signal.throwIfAborted();
    if (rule.isOfDeclared === true && isDataFile(view.set)) continue;
    try {
      for (const facts of rule.ofArray === undefined ? [] : view.facts)
        if (isOpen(facts)) await rule.ofArray?.(facts, ledger.note, view);
      await rule.ofSet?.(view, ledger.note);
    } catch (error) {
      ledger.note(ruleFailed(rule.id, error, view.context));
    }
  }
  return VALUE_RULES.map(
    ({ id }) => ({ rule: id, unit: "chunks", of: chunks, lookedAt: decoded, sampled: 0 }) as const,
  );
}
