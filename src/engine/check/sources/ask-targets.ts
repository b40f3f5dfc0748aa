/**
 * Targets asked and judged. Of many only those with something to say are kept one by one: what is needed of the others, a
 * size and little more, is in columns, since there may be hundreds of thousands.
 */
import type { CallContext, RequestReport } from "../../../core/byte-source.ts";
import type { Finding } from "../../../core/findings/finding.ts";
import { originOf, type Resolution } from "../../../core/location.ts";
import type { FileFormat } from "../../../core/target-content.ts";
import type { TargetProbe } from "../../../core/target-probe.ts";
import { once } from "../../../core/once.ts";
import { blockOf } from "../../table/batch.ts";
import type { EngineSet } from "../../engine-set.ts";
import { compareRecorded, recordedRows } from "./compare-recorded.ts";
import { isHarmless, type Cause, type FaultyTarget } from "./cause.ts";
import { judgeTarget, knownSize, type TargetOutline } from "./judge-target.ts";
import type { AlikeTargets } from "./cause-findings.ts";
import { judgeByName, type FoundFile } from "./matched-by-name.ts";
import { namesThere, THERE_FILE, THERE_URL } from "./names-there.ts";
import { probeTargets, type AskedTarget } from "./probe-targets.ts";
import { targetText, type TargetRows } from "./target-rows.ts";
import { unresolvedCause } from "./unresolved.ts";

export interface JudgedTarget extends AskedTarget, FaultyTarget {
  readonly target: string;
}

export interface AskedTargets {
  /** In the order of their ids. Of more than `MAX_KEPT` those with causes, but for `alike`, and those of no known size. */
  readonly judged: readonly JudgedTarget[];
  /** Of very many that are files found by name those of which there is nothing else to say. */
  readonly alike: AlikeTargets | undefined;
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
  const { set, rows } = judging;
  const recorded = await recordedRows(set, rows, ids, context);
  const book = targetBook(judging, ids);
  const found = foundTargets(judging, ids);
  const isMany = ids.length > MAX_KEPT && recorded === undefined;
  const unsettled: number[] = [];
  const stale: (readonly Finding[])[] = [];
  const settle = async (one: JudgedTarget, at: number): Promise<void> => {
    book.settle(one, at);
    const { probe, causes, target } = one;
    if (recorded !== undefined && probe !== undefined && causes.every(isHarmless))
      stale[at] = await compareRecorded(set, recorded.of(at), target, requestOf(probe));
  };
  const give = async (asked: AskedTarget, at: number): Promise<void> => {
    found.see(asked, at);
    const one = judgedTarget(judging, asked);
    if (!isUnsettled(asked)) return settle(one, at);
    // Of very many that are found by name there is nothing else to say.
    if (isMany && isByName(asked.resolution) && one.causes.length === 0) {
      book.settle(one, at);
      return found.leave(at);
    }
    if (!isMany || asked.probe !== undefined) book.keep(one, at);
    unsettled.push(at);
  };
  await probeTargets({ set, rows, origin: judging.origin }, ids, give, context);
  const last = lastJudgement(judging, ids, found);
  for (const at of unsettled.toSorted((a, b) => a - b)) {
    await settle(last.judged(book.kept[at] ?? unasked(judging, ids[at] ?? 0), at), at);
  }
  const alike = last.alike((one, at) => book.correct(one, at));
  const { sizes, formats, counts } = book;
  return {
    judged: book.kept.filter((one) => one !== undefined),
    alike,
    sizes,
    formats,
    stale: stale.flat(),
    ...counts,
  };
}

/** What is known of targets that were asked, by their places among `ids`. */
function targetBook({ set, rows, written }: Judging, ids: readonly number[]) {
  const kept: (JudgedTarget | undefined)[] = [];
  const sizes = new Float64Array(rows.references.length).fill(Infinity);
  const formats: (FileFormat | undefined)[] = [];
  const counts = { asked: 0, answered: 0, undated: 0 };
  const isDated = set.targetFindings !== undefined;
  return {
    kept,
    sizes,
    formats,
    counts,
    keep(one: JudgedTarget, at: number): void {
      kept[at] = one;
    },
    settle(one: JudgedTarget, at: number): void {
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
    },
    /** One whose bytes turned out not to be the target's. */
    correct(cause: Cause, at: number): void {
      const id = ids[at] ?? 0;
      kept[at] = { ...withoutProbe({ set, rows }, id, sizes[id] ?? 0), causes: [cause] };
      sizes[id] = Infinity;
      formats[id] = undefined;
    },
  };
}

/** A target that cannot be asked. */
function unasked(judging: Judging, id: number): JudgedTarget {
  const target = targetText(judging.set.index, judging.rows, id);
  return judgedTarget(judging, { id, target, resolution: judging.set.targets.resolve(target) });
}

/** A target that was asked, of which nothing but its size is kept. */
export function withoutProbe({ set, rows }: Pick<Judging, "set" | "rows">, id: number, size: number): JudgedTarget {
  const target = targetText(set.index, rows, id);
  const resolution = set.targets.resolve(target);
  const url = target ?? "null";
  const probe = { url, requests: 0, attempts: 0, bytesReceived: 0, milliseconds: 0, size };
  const host = originOf(resolution) ?? "";
  return { id, target: url, resolution, host, causes: [], probe };
}

/** Which targets are there, and by which file, by their places among `ids`. */
function foundTargets({ set, rows }: Judging, ids: readonly number[]) {
  const there = new Uint8Array(ids.length);
  /** Paths of files: texts that the list of files has anyway. */
  const files: string[] = [];
  const byName = new Uint8Array(ids.length);
  const left: number[] = [];
  const nameAt = (at: number): string => targetText(set.index, rows, ids[at] ?? 0) ?? "";
  const fileAt = (at: number): FoundFile | undefined => {
    const [id, file] = [ids[at] ?? 0, files[at]];
    if (file === undefined || id === rows.nullId) return undefined;
    return { target: nameAt(at), file, byName: byName[at] !== 0 };
  };
  return {
    there,
    nameAt,
    fileAt,
    /** Places of targets that are found by name, of which nothing is kept. */
    left,
    see({ probe, resolution }: AskedTarget, at: number): void {
      if (resolution.kind === "file") {
        there[at] = THERE_FILE;
        files[at] = resolution.path;
        byName[at] = Number(isByName(resolution));
      } else if (probe?.status === 200 || probe?.status === 206) there[at] = THERE_URL;
    },
    leave(at: number): void {
      left.push(at);
    },
    *files(): Generator<FoundFile> {
      for (let at = 0; at < ids.length; at += 1) {
        const file = fileAt(at);
        if (file !== undefined) yield file;
      }
    },
  };
}

type FoundTargets = ReturnType<typeof foundTargets>;

/** Judges those that are not there, or were found by their name alone, once it is known what else is there. */
function lastJudgement(judging: Judging, ids: readonly number[], found: FoundTargets) {
  const { set } = judging;
  const names = namesThere(set, found);
  const byName = once(() => judgeByName(() => found.files()));
  const causeAt = (at: number): Cause | undefined => {
    const file = found.fileAt(at);
    return file?.byName === true ? byName().causeOf(file) : undefined;
  };
  return {
    judged(one: JudgedTarget, at: number): JudgedTarget {
      const { probe, target } = one;
      const near = mayNotBeThere(probe) ? names.near(target) : undefined;
      const causes =
        probe === undefined
          ? [unresolvedCause(set, one, names)]
          : [...judgeTarget(probe, outlineOf(judging, one, near)), causeAt(at)];
      return { ...one, causes: causes.flatMap((cause) => (cause === undefined ? [] : [withAddress(cause, one)])) };
    },
    /** Those of which nothing is kept. `wrong` is told which have another target's file. */
    alike(wrong: (cause: Cause, at: number) => void): AlikeTargets | undefined {
      const alike: number[] = [];
      let first: Cause | undefined;
      for (const at of found.left.toSorted((a, b) => a - b)) {
        const file = found.fileAt(at);
        if (file !== undefined && byName().isLikely(file)) {
          first ??= causeAt(at);
          alike.push(ids[at] ?? 0);
          continue;
        }
        const cause = causeAt(at);
        if (cause !== undefined) wrong(cause, at);
      }
      return first === undefined ? undefined : { ids: alike, host: "", cause: first };
    },
  };
}

/** What is said of it depends on the names of those that are there. */
const isUnsettled = ({ probe, resolution }: AskedTarget): boolean =>
  probe === undefined || mayNotBeThere(probe) || isByName(resolution);

/** 403 is also what a store says that does not tell what it has. */
const mayNotBeThere = (probe: TargetProbe | undefined): boolean => probe?.status === 404 || probe?.status === 403;

const isByName = (resolution: Resolution): boolean => resolution.kind === "file" && resolution.byName === true;

export function judgedTarget(judging: Judging, asked: AskedTarget): JudgedTarget {
  const { resolution, probe } = asked;
  const host = originOf(resolution) ?? "";
  const causes =
    probe === undefined || probe.status === 404
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
    isFile: resolution.kind !== "url",
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
