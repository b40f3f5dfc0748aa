/** A whole set checked: its references, and where that was asked for its targets and its values. */
import type { CallContext } from "#core/byte-source.ts";
import type { Checked, CheckPart } from "#core/check/check.ts";
import { isAbort } from "#core/findings/finding.ts";
import type { ReaderVerdict } from "#core/readers/verdict.ts";
import type { TargetReport } from "#core/check/target-probe.ts";
import { type EngineSet, isDataFile } from "../engine-set.ts";
import type { ChunkDecoder } from "../chunk/chunk-decoder.ts";
import type { NamedExpectation } from "./expectation.ts";
import type { HeldFile } from "./held/held-files.ts";
import { chunksAtHand } from "./at-hand.ts";
import { checkReferences } from "./check-references.ts";
import { checkSources } from "./sources/check-sources.ts";
import { DEFAULT_TARGETS, MOST_HELD, type SourcesRequest } from "./sources/choose-targets.ts";
import { checkValues } from "./values/check-values.ts";
import type { ValuesRequest } from "./values/plan.ts";
import type { ArrayFacts } from "./values/value-facts.ts";
import type { ReaderRequest } from "./readers/check-reader.ts";
import { together, type CheckedSet } from "./set-checks.ts";

export interface CheckRequest {
  readonly decoder: ChunkDecoder;
  /** Absent: no target is asked. */
  readonly sources?: SourcesRequest | undefined;
  /** Chunks that are decoded, and their values compared; absent = none. */
  readonly deep?: Omit<ValuesRequest, "decoder"> | undefined;
  /** Without `deep`: chunks in files at hand are decoded, within a budget. */
  readonly atHand?: true;
  /** Signal at which the check stops and reports the findings so far. */
  readonly stop?: AbortSignal | undefined;
  /** Expectations that the set must meet. */
  readonly expectation?: NamedExpectation | undefined;
  /** The reader that is asked about, or `all`; absent = none. */
  readonly reader?: Omit<ReaderRequest, "found"> | undefined;
}

export interface WholeCheck extends CheckedSet {
  /** Targets that were asked; of very many those of which there is something to say. */
  readonly reports: readonly TargetReport[];
  readonly readers?: readonly ReaderVerdict[];
}

export async function checkSet(set: EngineSet, request: CheckRequest, context: CallContext): Promise<WholeCheck> {
  const parts: CheckPart[] = [];
  const found: SoFar["found"] = { reports: [] };
  const { stop } = request;
  try {
    await runParts(set, request, { parts, found }, context);
  } catch (error) {
    if (!isAbort(error) || stop?.aborted !== true || context.signal.aborted) throw error;
  }
  const { unasked, ...rest } = found;
  const { findings, checked } = together(set, parts);
  const how = {
    ...(unasked !== undefined && { unasked }),
    ...(stop?.aborted === true && { isStopped: true as const }),
  };
  return { findings, checked: { ...checked, ...how }, ...rest };
}

interface SoFar {
  readonly parts: CheckPart[];
  readonly found: {
    reports: readonly TargetReport[];
    readers?: readonly ReaderVerdict[];
    unasked?: NonNullable<Checked["unasked"]>;
  };
}

async function runParts(
  set: EngineSet,
  { decoder, expectation, sources, deep, atHand, reader, stop }: CheckRequest,
  { parts, found }: SoFar,
  whole: CallContext,
): Promise<void> {
  const signal = stop === undefined ? whole.signal : AbortSignal.any([whole.signal, stop]);
  const context = { ...whole, signal };
  parts.push(await checkReferences(set, context));
  let [indexed, facts]: [readonly HeldFile[], readonly ArrayFacts[]] = [[], []];
  if (sources !== undefined) {
    const asked = await checkSources(set, sources, context);
    parts.push(asked);
    found.reports = asked.reports;
    const { checkHeld } = await import("./held/check-held.ts");
    const held = {
      limit: sources.limit === DEFAULT_TARGETS ? MOST_HELD : sources.limit,
      isHere: sources.isHere,
      before: parts,
      onFiles: (files: readonly HeldFile[]) => void (indexed = files),
    };
    if (!isDataFile(set)) parts.push(await checkHeld(set, held, context));
  }
  const findings = () => parts.flatMap((part) => part.findings);
  const near = deep === undefined && atHand === true ? await chunksAtHand(set, findings(), context) : undefined;
  const chosen = near === undefined || near.only.size === 0 ? deep : { chunks: "all" as const, only: near.only };
  if (near !== undefined && near.only.size > 0) {
    const chunks = [...near.only.values()].reduce((sum, { size }) => sum + size, 0);
    found.unasked = { chunks, bytes: near.bytes };
  }
  if (chosen !== undefined) {
    const { withoutZeros = [], ...values } = await checkValues(
      set,
      { ...chosen, decoder, stop, onFacts: (all) => void (facts = all) },
      whole,
    );
    // A check unasked that found nothing still leaves its note.
    parts.push(near === undefined ? { ...values, withoutZeros } : values);
    signal.throwIfAborted();
  }
  const { checkWitnesses } = await import("./witness/check-witnesses.ts");
  const isPaid = sources !== undefined || deep !== undefined;
  const asked = { decoder, isPaid, isDeep: deep?.chunks === "all", held: indexed, facts, before: findings() };
  parts.push(await checkWitnesses(set, asked, context));
  if (expectation !== undefined) {
    const { checkExpectation } = await import("./expectation.ts");
    const against = await checkExpectation(set, expectation, decoder, context);
    parts.push(against());
  }
  if (reader === undefined) return;
  const { checkReaders } = await import("./readers/check-reader.ts");
  const { part, verdicts } = await checkReaders(set, { ...reader, found: findings() }, context);
  parts.push(part);
  found.readers = verdicts;
}
