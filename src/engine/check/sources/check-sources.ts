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
import { blockOf } from "../../table/batch.ts";
import { causeFindings, chunkOfRow, isHarmless, type FaultyTarget } from "./cause.ts";
import { chooseTargets, costOf } from "./choose-targets.ts";
import { compareRecorded } from "./compare-recorded.ts";
import { namesThere } from "./names-there.ts";
import { judgeTarget, knownSize, type TargetOutline } from "./judge-target.ts";
import { checkObjects } from "./native-objects.ts";
import { pastEndCauses } from "./past-end.ts";
import { probeTargets, type AskedTarget } from "./probe-targets.ts";
import { rowFaults, type KnownTarget, type RowFaults } from "./row-faults.ts";
import type { SourcesRequest } from "./sources-request.ts";
import { unreadableChunks } from "./unreadable-chunks.ts";
import { targetRows, type TargetRows } from "./target-rows.ts";
import { unresolvedCause } from "./unresolved.ts";

export interface CheckedSources extends CheckPart {
  readonly cost: SourcesCost;
  /** Those that were asked. */
  readonly reports: readonly TargetReport[];
}

/** What `checkSources` would cost, before it is done. */
export async function sourcesCost(
  set: EngineSet,
  { limit }: Pick<SourcesRequest, "limit">,
  context: CallContext,
): Promise<SourcesCost> {
  const rows = await targetRows(set.index, context);
  return costOf(set, rows, await chooseTargets(set, rows, limit, context));
}

export async function checkSources(
  set: EngineSet,
  request: SourcesRequest,
  context: CallContext,
): Promise<CheckedSources> {
  const rows = await targetRows(set.index, context);
  const chosen = await chooseTargets(set, rows, request.limit, context);
  const written = request.written ?? (await writtenAt(set, context));
  const asked = await probeTargets({ set, rows, origin: request.origin }, chosen.ids, context);
  const judged = judgeAll({ set, rows, written, origin: request.origin }, asked);
  const known = knownTargets(judged);
  const compared = new Set(set.targetFindings === undefined ? [] : judged.filter(isThere).map(({ id }) => id));
  const faults = await rowFaults(set, rows, known, compared, context);
  const faulty = judged.map((one) => withPastEnd(one, rows, faults));
  const log = new FindingLog();
  const unreadable = unreadableChunks();
  const withCauses = faulty.filter(({ causes }) => causes.length > 0);
  log.addAll(await causeFindings(set, rows, withCauses, unreadable.add, context));
  log.addAll(unreadable.addAll(set, wholeFindings(set, rows, faults, known, judged)));
  log.addAll(await compareRecorded(set, faults.toCompare, judged));
  const objects = await checkObjects(set, request, context);
  log.addAll(unreadable.addAll(set, objects.findings));
  const wrong = new Set(faults.whole.map(({ id }) => id));
  const reports = faulty.map((one) => reportOf(one, rows, faults, wrong));
  return {
    findings: log.list(),
    rules: [coverageOf(chosen.of, reports), ...objects.rules],
    unreadable: unreadable.all(),
    targets: targetsOf(chosen.of + objects.of, reports, objects, written, compared.size > 0),
    cost: costOf(set, rows, chosen),
    reports,
  };
}

interface JudgedTarget extends AskedTarget, FaultyTarget {
  readonly target: string;
}

interface Judging {
  readonly set: EngineSet;
  readonly rows: TargetRows;
  readonly written: number | undefined;
  readonly origin: string | undefined;
}

function judgeAll(judging: Judging, asked: readonly AskedTarget[]): readonly JudgedTarget[] {
  const { set } = judging;
  const names = namesThere(set, asked);
  return asked.map((one) => {
    const target = one.target ?? "null";
    const { resolution, probe } = one;
    const host = resolution.kind === "url" ? new URL(resolution.url).origin : "";
    const causes =
      probe === undefined
        ? [unresolvedCause(set, one, names)].filter((cause) => cause !== undefined)
        : judgeTarget(probe, outlineOf(judging, one, probe.status === 404 ? names.near(target) : undefined));
    return { ...one, target, host, causes };
  });
}

function outlineOf({ set, rows, written, origin }: Judging, { id, resolution }: AskedTarget, near?: string) {
  const outline: TargetOutline = {
    end: rows.end[id] ?? 0,
    isFile: resolution.kind === "file",
    mayBeGzip: mayBeGzip(set, (rows.zeroRow[id] ?? 0) - 1),
    near,
    written,
    origin,
  };
  return outline;
}

function mayBeGzip({ table, hierarchy }: EngineSet, row: number): boolean {
  if (row < 0) return false;
  const slot = table.arrays[blockOf(table, row).array[row & 0xffff] ?? 0];
  const node = slot === undefined ? undefined : hierarchy.nodes.get(slot.path);
  if (node?.kind !== "array") return true;
  return node.metadata.decoding.some(({ id }) => /(?:^|\.)gzip$/.test(id));
}

const isThere = ({ probe, causes }: JudgedTarget): boolean => probe !== undefined && causes.every(isHarmless);

function knownTargets(judged: readonly JudgedTarget[]): ReadonlyMap<number, KnownTarget> {
  const known = new Map<number, KnownTarget>();
  for (const one of judged) {
    const size = one.probe === undefined || !isThere(one) ? undefined : knownSize(one.probe);
    if (size === undefined) continue;
    const content = one.probe?.content;
    known.set(one.id, { size, format: content?.kind === "data" ? content.format : undefined });
  }
  return known;
}

function withPastEnd(one: JudgedTarget, rows: TargetRows, faults: RowFaults): JudgedTarget {
  if (one.probe === undefined || !isThere(one)) return one;
  const causes = pastEndCauses(one.id, one.probe, rows, faults);
  return causes.length === 0 ? one : { ...one, causes: [...causes, ...one.causes] };
}

function wholeFindings(
  { table }: EngineSet,
  { references, whole }: TargetRows,
  faults: RowFaults,
  known: ReadonlyMap<number, KnownTarget>,
  judged: readonly JudgedTarget[],
): readonly Finding[] {
  const targets = new Map(judged.map(({ id, target }) => [id, target]));
  return faults.whole.flatMap(({ row, id, stored }) => {
    const { size, format } = known.get(id) ?? { size: 0, format: undefined };
    const chunk = chunkOfRow(table, row);
    const place = { kind: "target", target: targets.get(id) ?? "", ...(chunk === undefined ? {} : { chunk }) } as const;
    const raw = stored.raw ?? 0;
    const parts = (references[id] ?? 0) - (whole[id] ?? 0);
    if (stored.isExact && size < raw) return finding("range-past-end", place, { end: raw, size });
    return finding("whole-file-for-chunk", place, { size, chunk: raw, parts, format, exact: stored.isExact });
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

const coverageOf = (of: number, reports: readonly TargetReport[]): RuleCoverage => ({
  rule: "sources",
  unit: "targets",
  of,
  lookedAt: reports.length,
  sampled: reports.length < of ? reports.length : 0,
});

function targetsOf(
  of: number,
  reports: readonly TargetReport[],
  objects: { readonly asked: number; readonly sound: number },
  written: number | undefined,
  isRecorded: boolean,
) {
  // A file that is not there was looked for.
  const asked = reports.filter(({ probe, codes }) => probe !== undefined || codes.includes("target-missing"));
  const undated = asked.filter(
    ({ probe }) => !isRecorded && (written === undefined || probe?.lastModified === undefined),
  );
  return {
    of,
    asked: asked.length + objects.asked,
    answered: asked.filter(({ isSound }) => isSound).length + objects.sound,
    unrecorded: undated.length,
  };
}
