/**
 * Whether a set's targets are there, and what they were: each, or a sample of stated size, is asked by two small requests
 * (files by a look at them), and references are compared with what came.
 */
import type { CallContext } from "../../../core/byte-source.ts";
import type { CheckPart } from "../../../core/check.ts";
import { FindingLog } from "../../../core/findings/finding-log.ts";
import { finding, type Finding } from "../../../core/findings/finding.ts";
import type { RuleCoverage } from "../../../core/open-set.ts";
import type { SourcesCost, TargetReport } from "../../../core/target-probe.ts";
import type { EngineSet } from "../../engine-set.ts";
import { askTargets, withoutProbe, type AskedTargets, type JudgedTarget } from "./ask-targets.ts";
import { isHarmless } from "./cause.ts";
import { causeFindings, chunkOfRow } from "./cause-findings.ts";
import { chooseTargets, costOf } from "./choose-targets.ts";
import { checkObjects, NO_OBJECTS } from "./native-objects.ts";
import { pastEndCauses } from "./past-end.ts";
import { rowFaults, type RowFaults } from "./row-faults.ts";
import type { SourcesRequest } from "./sources-request.ts";
import { unreadableChunks } from "./unreadable-chunks.ts";
import { targetRows, targetText, type TargetRows } from "./target-rows.ts";

export interface CheckedSources extends CheckPart {
  /** Those that were asked; of very many those of which there is something to say. */
  readonly reports: readonly TargetReport[];
}

/** What `checkSources` would cost, before it is done. */
export async function sourcesCost(
  set: EngineSet,
  request: Pick<SourcesRequest, "limit">,
  context: CallContext,
): Promise<SourcesCost> {
  const rows = await targetRows(set.index, context);
  return costOf(set, rows, await chooseTargets(set, rows, request, context));
}

export async function checkSources(
  set: EngineSet,
  request: SourcesRequest,
  context: CallContext,
): Promise<CheckedSources> {
  const rows = await targetRows(set.index, context);
  const chosen = await chooseTargets(set, rows, request, context);
  const written = request.written ?? (request.isHere === true ? undefined : await writtenAt(set, context));
  const asked = await askTargets({ set, rows, written, origin: request.origin }, chosen.ids, context);
  const faults = await rowFaults(set, rows, asked, context);
  const faulty = withPastEnds(set, rows, asked, chosen.ids, faults);
  const log = new FindingLog();
  const unreadable = unreadableChunks();
  const withCauses = faulty.filter(({ causes }) => causes.length > 0);
  log.addAll(await causeFindings(set, rows, withCauses, asked.alike, unreadable.add, context));
  log.addAll(unreadable.addAll(set, wholeFindings(set, rows, faults, asked)));
  log.addAll(asked.stale);
  const objects = request.isHere === true ? NO_OBJECTS : await checkObjects(set, request, context);
  log.addAll(unreadable.addAll(set, objects.findings));
  const wrong = new Set(faults.whole.map(({ id }) => id));
  return {
    findings: log.list(),
    rules: [coverageOf(chosen.of, chosen.ids.length, request), ...objects.rules],
    unreadable: unreadable.all(),
    targets: {
      of: chosen.of + objects.of,
      asked: asked.asked + objects.asked,
      answered: asked.answered + objects.sound,
      unrecorded: asked.undated,
    },
    reports: faulty.map((one) => reportOf(one, rows, faults, wrong)),
  };
}

/** Targets whose ranges reach past their ends, among the others. */
function withPastEnds(
  set: EngineSet,
  rows: TargetRows,
  { judged, sizes }: AskedTargets,
  ids: readonly number[],
  faults: RowFaults,
): readonly JudgedTarget[] {
  const known = new Set(judged.map(({ id }) => id));
  const others = ids.flatMap((id) => {
    if (faults.past[id] === 0 || known.has(id)) return [];
    return [withoutProbe({ set, rows }, id, sizes[id] ?? 0)];
  });
  const all = others.length === 0 ? judged : [...judged, ...others].toSorted((a, b) => a.id - b.id);
  return all.map((one) => withPastEnd(one, rows, faults));
}

function withPastEnd(one: JudgedTarget, rows: TargetRows, faults: RowFaults): JudgedTarget {
  if (one.probe === undefined || !one.causes.every(isHarmless)) return one;
  const causes = pastEndCauses(one.id, one.probe, rows, faults);
  return causes.length === 0 ? one : { ...one, causes: [...causes, ...one.causes] };
}

function wholeFindings(
  { table, index }: EngineSet,
  rows: TargetRows,
  faults: RowFaults,
  { sizes, formats }: AskedTargets,
): readonly Finding[] {
  return faults.whole.flatMap(({ row, id, stored }) => {
    const [size, format] = [sizes[id] ?? 0, formats[id]];
    const chunk = chunkOfRow(table, row);
    const target = targetText(index, rows, id) ?? "null";
    const place = { kind: "target", target, ...(chunk === undefined ? {} : { chunk }) } as const;
    const { plain, checksums, compressor } = stored;
    const [exact, end] = [compressor === undefined, plain + checksums];
    const parts = (rows.references[id] ?? 0) - (rows.whole[id] ?? 0);
    if (exact && size < end) return finding("range-past-end", place, { end, size });
    return finding("whole-file-for-chunk", place, { size, chunk: plain, parts, format, exact });
  });
}

/** By the address that the set came from. */
async function writtenAt(set: EngineSet, context: CallContext): Promise<number | undefined> {
  if (set.url === undefined || set.repository !== undefined || set.resolveKey !== undefined) return undefined;
  const resolution = { kind: "url", url: set.url, steps: [] } as const;
  const { lastModified } = await set.targets.probe(resolution, { furthest: undefined }, context);
  const time = Date.parse(lastModified ?? "");
  return Number.isNaN(time) ? undefined : time;
}

function reportOf(one: JudgedTarget, rows: TargetRows, faults: RowFaults, wrong: ReadonlySet<number>): TargetReport {
  const { id, target, resolution, probe, causes } = one;
  return {
    target: id === rows.nullId ? null : target,
    resolution,
    references: rows.references[id] ?? 0,
    whole: rows.whole[id] ?? 0,
    end: rows.end[id] ?? 0,
    ...(probe === undefined ? {} : { probe }),
    pastEnd: faults.past[id] ?? 0,
    isSound: probe !== undefined && causes.every(isHarmless) && !wrong.has(id),
    codes: causes.map(({ code }) => code),
  };
}

const coverageOf = (of: number, lookedAt: number, { isHere }: SourcesRequest): RuleCoverage => ({
  rule: "sources",
  unit: "targets",
  of,
  lookedAt,
  sampled: lookedAt < of && isHere !== true ? lookedAt : 0,
});
