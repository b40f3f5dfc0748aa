/**
 * Targets asked and judged. Of many only those with something to say are kept one by one: what is needed of the others, a
 * size and little more, is in columns, since there may be hundreds of thousands.
 */
import type { CallContext, RequestReport } from "../../../core/byte-source.ts";
import type { Finding } from "../../../core/findings/finding.ts";
import type { Resolution } from "../../../core/location.ts";
import type { FileFormat } from "../../../core/target-content.ts";
import type { TargetProbe } from "../../../core/target-probe.ts";
import { blockOf } from "../../table/batch.ts";
import type { EngineSet } from "../../engine-set.ts";
import { compareRecorded, recordedRows } from "./compare-recorded.ts";
import { isHarmless, type Cause, type FaultyTarget } from "./cause.ts";
import { judgeTarget, knownSize, type TargetOutline } from "./judge-target.ts";
import { causeByName } from "./matched-by-name.ts";
import { namesThere, THERE_FILE, THERE_URL } from "./names-there.ts";
import { probeTargets, type AskedTarget } from "./probe-targets.ts";
import { targetText, type TargetRows } from "./target-rows.ts";
import { unresolvedCause } from "./unresolved.ts";

export interface JudgedTarget extends AskedTarget, FaultyTarget {
  readonly target: string;
}

export interface AskedTargets {
  /** In the order of their ids. Of more than `MAX_KEPT` those with causes, and those of no known size. */
  readonly judged: readonly JudgedTarget[];
  /** By target id: bytes; Infinity where they are not known, or are not those of the target. */
  readonly sizes: Float64Array;
  /** By target id, of files that no codec of arrays reads; `undefined` of others. */
  readonly formats: readonly (FileFormat | undefined)[];
  /** Of what references recorded. */
  readonly stale: readonly Finding[];
  /** What was asked for, or looked for among files. */
  readonly asked: number;
  /** Something came, whatever is to be said of it. */
  readonly answered: number;
  /** Without a time that could be compared with anything. */
  readonly undated: number;
}

export interface Judging {
  readonly set: EngineSet;
  readonly rows: TargetRows;
  readonly written: number | undefined;
  readonly origin: string | undefined;
}

/** Targets of which all that was seen is kept. */
const MAX_KEPT = 10_000;

export async function askTargets(
  judging: Judging,
  ids: readonly number[],
  context: CallContext,
): Promise<AskedTargets> {
  const { set, rows, written } = judging;
  const kept: JudgedTarget[] = [];
  const sizes = new Float64Array(rows.references.length).fill(Infinity);
  const formats: (FileFormat | undefined)[] = [];
  const there = new Uint8Array(ids.length);
  const unsettled: number[] = [];
  const stale: (readonly Finding[])[] = [];
  const recorded = await recordedRows(set, rows, ids, context);
  const counts = { asked: 0, answered: 0, undated: 0 };
  const isDated = set.targetFindings !== undefined;
  const settle = (one: JudgedTarget, at: number): void => {
    const { probe, causes, id } = one;
    const isThere = probe !== undefined && causes.every(isHarmless);
    const size = isThere ? knownSize(probe) : undefined;
    if (size !== undefined) sizes[id] = size;
    if (isThere && probe.content?.kind === "data" && probe.content.format !== undefined)
      formats[id] = probe.content.format;
    // A file that is not there was looked for.
    if (probe !== undefined || causes.some(({ code }) => code === "target-missing")) {
      counts.asked += 1;
      counts.answered += Number(probe !== undefined && isAnswer(probe));
      counts.undated += Number(!isDated && (written === undefined || probe?.lastModified === undefined));
    }
    if (ids.length <= MAX_KEPT || causes.length > 0 || size === undefined) kept[at] = one;
  };
  const settleAndCompare = async (one: JudgedTarget, at: number): Promise<void> => {
    settle(one, at);
    const { probe, causes, target } = one;
    if (recorded !== undefined && probe !== undefined && causes.every(isHarmless))
      stale[at] = await compareRecorded(set, recorded.of(at), target, requestOf(probe));
  };
  const give = async (asked: AskedTarget, at: number): Promise<void> => {
    const { probe, resolution } = asked;
    if (resolution.kind === "file") there[at] = THERE_FILE;
    else if (probe?.status === 200 || probe?.status === 206) there[at] = THERE_URL;
    const one = judgedTarget(judging, asked);
    if (isUnsettled(asked)) {
      kept[at] = one;
      unsettled.push(at);
      return;
    }
    await settleAndCompare(one, at);
  };
  await probeTargets({ set, rows, origin: judging.origin }, ids, give, context);
  const last = lastJudgement(
    judging,
    ids,
    there,
    unsettled.map((at) => kept[at] as JudgedTarget),
  );
  for (const at of unsettled.toSorted((a, b) => a - b)) await settleAndCompare(last(kept[at] as JudgedTarget), at);
  const judged = kept.filter((one) => one !== undefined);
  return { judged, sizes, formats, stale: stale.flat(), ...counts };
}

/** Judges those that are not there, or were found by their name alone, once it is known what else is there. */
function lastJudgement(
  judging: Judging,
  ids: readonly number[],
  there: Uint8Array,
  unsettled: readonly JudgedTarget[],
): (one: JudgedTarget) => JudgedTarget {
  const { set, rows } = judging;
  const names = namesThere(set, { there, nameAt: (at) => targetText(set.index, rows, ids[at] ?? 0) ?? "" });
  const hasNamed = unsettled.some(({ resolution }) => isByName(resolution));
  const byName = causeByName(hasNamed ? namedFiles(set, rows, ids, there) : []);
  return (one) => {
    const { probe, target } = one;
    const near = mayNotBeThere(probe) ? names.near(target) : undefined;
    const causes =
      probe === undefined
        ? [unresolvedCause(set, one, names)]
        : [...judgeTarget(probe, outlineOf(judging, one, near)), byName(one)];
    return { ...one, causes: causes.flatMap((cause) => (cause === undefined ? [] : [withAddress(cause, one)])) };
  };
}

/** What is said of it depends on the names of those that are there. */
const isUnsettled = ({ probe, resolution }: AskedTarget): boolean =>
  probe === undefined || mayNotBeThere(probe) || isByName(resolution);

/** 403 is also what a store says that does not tell what it has. */
const mayNotBeThere = (probe: TargetProbe | undefined): boolean => probe?.status === 404 || probe?.status === 403;

const isByName = (resolution: Resolution): boolean => resolution.kind === "file" && resolution.byName === true;

/** Those for which a file was found, and which. */
function namedFiles(set: EngineSet, rows: TargetRows, ids: readonly number[], there: Uint8Array) {
  return ids.flatMap((id, at) => {
    if (there[at] !== THERE_FILE) return [];
    const target = targetText(set.index, rows, id);
    return [{ target, resolution: set.targets.resolve(target) }];
  });
}

export function judgedTarget(judging: Judging, asked: AskedTarget): JudgedTarget {
  const { resolution, probe } = asked;
  const host = resolution.kind === "url" ? new URL(resolution.url).origin : "";
  const causes =
    probe === undefined || isUnsettled(asked)
      ? []
      : judgeTarget(probe, outlineOf(judging, asked, undefined)).map((cause) => withAddress(cause, asked));
  return { id: asked.id, target: asked.target ?? "null", resolution, host, causes, ...(probe && { probe }) };
}

/** The address that was asked, where references name it otherwise; without its query, which may be a signature. */
function withAddress(cause: Cause, { target, resolution }: Pick<AskedTarget, "target" | "resolution">): Cause {
  if (resolution.kind !== "url" || resolution.url === target) return cause;
  const { origin, pathname } = new URL(resolution.url);
  return { ...cause, facts: { url: origin + pathname, ...cause.facts } };
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

/** Something came: a file that is there, a server that gives bytes. */
const isAnswer = ({ failure, status = 200 }: TargetProbe): boolean => failure === undefined && status < 400;

const requestOf = ({ url, lastModified, etag }: TargetProbe): RequestReport => ({
  url,
  attempts: 1,
  bytesReceived: 0,
  milliseconds: 0,
  ...(lastModified === undefined ? {} : { lastModified }),
  ...(etag === undefined ? {} : { etag }),
});
