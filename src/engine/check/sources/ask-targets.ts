/**
 * Targets asked and judged. Of many only those with something to say are kept one by one: what is needed of the others, a
 * size and little more, is in columns, since there may be hundreds of thousands.
 */
import { type CallContext, originOf, type RequestReport, type Resolution } from "#core/byte-source.ts";
import type { Finding } from "#core/findings/finding.ts";
import { once } from "#core/basics.ts";
import type { FileFormat } from "#core/check/target-content.ts";
import type { TargetProbe } from "#core/check/target-probe.ts";
import type { EngineSet } from "#engine/engine-set.ts";
import { eachAtOnce } from "#engine/kept.ts";
import { startPace } from "#engine/pace.ts";
import { eachBlock } from "#engine/table/array-index.ts";
import { blockOf, lengthOf, ordinalOfRow } from "#engine/table/batch.ts";
import { chunkOfRow } from "#engine/rules/rule.ts";
import type { AlikeTargets } from "./cause-findings.ts";
import { cause, causeOfFinding, isHarmless, judgeTarget, knownSize } from "./judge-target.ts";
import type { Cause, FaultyTarget, TargetOutline } from "./judge-target.ts";
import { namesThere, type NamesThere, THERE_FILE, THERE_URL } from "./names-there.ts";
import { targetIdOf } from "#engine/table/target-ranges.ts";
import { type TargetRows, targetText } from "./target-rows.ts";
import { sharedSuffix } from "#io/local-files.ts";

export interface JudgedTarget extends AskedTarget, FaultyTarget {
  readonly target: string;
}

export interface AskedTargets {
  /**
   * Judged targets in the order of their ids. Of more than `MAX_KEPT` those with causes, except `alike`, and those of
   * unknown size.
   */
  readonly judged: readonly JudgedTarget[];
  /** Targets found by name about which nothing else is to be said, if they are very many. */
  readonly alike: AlikeTargets | undefined;
  /** Bytes by target id; Infinity if unknown, or if they are not those of the target. */
  readonly sizes: Float64Array;
  /** Format by target id, of files that no codec of arrays reads; `undefined` for others. */
  readonly formats: readonly (FileFormat | undefined)[];
  /** Findings about the recorded versions of targets. */
  readonly stale: readonly Finding[];
  /** Number of targets requested, or looked for among files. */
  readonly asked: number;
  /** Something came, whatever is to be said of it. */
  readonly answered: number;
  /** Number of them that gave something else than readers need. */
  readonly unfit: number;
  /** Without a time that could be compared with anything. */
  readonly undated: number;
}

export interface Judging {
  readonly set: EngineSet;
  readonly rows: TargetRows;
  readonly written: number | undefined;
  /** Sent as `Origin` where a program may: what CORS allows is then judged. */
  readonly origin: string | undefined;
}

/** Codes of targets for which nothing can be requested. */
const LOOKED_FOR: ReadonlySet<string> = new Set(["target-missing", "target-is-local", "file-unreadable"]);

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
      stale[at] = await compareRecorded(set, recorded(at), target, requestOf(probe));
  };
  const give = async (asked: AskedTarget, at: number): Promise<void> => {
    found.see(asked, at);
    const one = judgedTarget(judging, asked);
    if (!isUnsettled(asked)) return settle(one, at);
    // Nothing else is to be said about very many targets found by name.
    if (isMany && isByName(asked.resolution) && one.causes.length === 0) {
      book.settle(one, at);
      return found.leave(at);
    }
    if (!isMany || asked.probe !== undefined) book.keep(one, at);
    unsettled.push(at);
  };
  await probeTargets(judging, ids, give, context);
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

/** Collects the facts of checked targets, by their places among `ids`. */
function targetBook({ set, rows, written }: Judging, ids: readonly number[]) {
  const kept: (JudgedTarget | undefined)[] = [];
  const sizes = new Float64Array(rows.references.length).fill(Infinity);
  const formats: (FileFormat | undefined)[] = [];
  const counts = { asked: 0, answered: 0, unfit: 0, undated: 0 };
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
      if (probe !== undefined || causes.some((one) => LOOKED_FOR.has(one.code))) {
        counts.asked += 1;
        const isAnswered = probe !== undefined && isAnswer(probe);
        counts.answered += Number(isAnswered);
        counts.unfit += Number(isAnswered && causes.some(isUnfit));
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

/** True if the words for it depend on the names of those that exist. */
const isUnsettled = ({ probe, resolution }: AskedTarget): boolean =>
  probe === undefined || mayNotBeThere(probe) || isByName(resolution);

/** 403 is also what a store says that does not tell what it has. */
const mayNotBeThere = (probe: TargetProbe | undefined): boolean => probe?.status === 404 || probe?.status === 403;

const isByName = (resolution: Resolution): boolean => resolution.kind === "file" && resolution.byName === true;

function judgedTarget(judging: Judging, asked: AskedTarget): JudgedTarget {
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
  return {
    end: rows.end[id] ?? 0,
    isFile: resolution.kind !== "url",
    mayBeGzip: mayBeGzip(set, (rows.zeroRow[id] ?? 0) - 1),
    near,
    written,
    origin,
  } satisfies TargetOutline;
}

function mayBeGzip({ table, hierarchy }: EngineSet, row: number): boolean {
  if (row < 0) return false;
  const slot = table.arrays[blockOf(table, row).array[row & 0xffff] ?? 0];
  const node = slot === undefined ? undefined : hierarchy.nodes.get(slot.path);
  if (node?.kind !== "array") return true;
  return node.metadata.decoding.some(({ id }) => /(?:^|\.)gzip$/.test(id));
}

/** True if the answer is not what references mean, or costs a reader the whole file. */
const isUnfit = ({ code, leavesBytes }: Cause): boolean =>
  !leavesBytes || code === "range-ignored" || code === "range-encoded";

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

// Targets that nothing can be asked for: a file that is not among those given is missing, all else is said as it is.

function unresolvedCause({ targets }: EngineSet, asked: AskedTarget, names: NamesThere): Cause | undefined {
  const { resolution, target } = asked;
  if (resolution.kind !== "unresolved") return undefined;
  const { code } = resolution.finding;
  // Files of other folders, where those of this one were deleted.
  if (code === "target-ambiguous" && target !== null && names.isNameOfAnother(target))
    return cause("target-missing", { near: undefined, where: "root" });
  const { files } = targets;
  const isPath = code === "target-is-local" && files?.outside !== undefined;
  if ((code !== "target-relative" && !isPath) || files === undefined || target === null)
    return causeOfFinding(resolution.finding, asked.target ?? "");
  if (files.outside?.(target) === "unreadable")
    return cause("file-unreadable", { reason: "the folder cannot be looked into" });
  // Beside a document nothing is listed but the document.
  const isListed = (files.all ?? files.list).length > 1;
  const where = isListed ? "root" : isPath ? "path" : "beside";
  const near = names.nearFile(target);
  return cause("target-missing", { near, where }, near ?? "");
}

// Compares targets with what a format recorded of them: times and ETags, by chunk.

/** Rows whose recorded checksums are compared, of all targets together. */
const MAX_COMPARED = 200_000;
/** Rows compared of each target: the smaller number if there are very many targets. */
const [ENOUGH, LEAST] = [16, 2] as const;
/** Targets that are very many. */
const MANY = 20_000;

/** The first rows of each target, by its place among those chosen; `undefined` where nothing was recorded of any. */
async function recordedRows(
  { index, table, targetFindings, recordsTargets }: EngineSet,
  { nullId, references }: TargetRows,
  ids: readonly number[],
  context: CallContext,
): Promise<((at: number) => Uint32Array) | undefined> {
  if (targetFindings === undefined || recordsTargets?.() === false) return undefined;
  const each = Math.max(ids.length > MANY ? LEAST : ENOUGH, Math.floor(MAX_COMPARED / Math.max(1, ids.length)));
  const starts = new Uint32Array(ids.length + 1);
  const places = new Int32Array(references.length).fill(-1);
  for (const [at, id] of ids.entries()) {
    places[id] = at;
    starts[at + 1] = (starts[at] as number) + Math.min(each, references[id] ?? 0);
  }
  const rows = new Uint32Array(starts.at(-1) ?? 0);
  const used = starts.slice(0, -1);
  const pace = startPace(context, "Choosing references to compare", table.rows);
  await eachBlock(table, pace, ({ target }, first, count) => {
    for (let i = 0; i < count; i += 1) {
      const id = targetIdOf(index, target[i] as number, nullId);
      const at = id < 0 ? -1 : (places[id] as number);
      if (at < 0 || (used[at] as number) >= (starts[at + 1] as number)) continue;
      rows[used[at] as number] = first + i;
      (used[at] as number) += 1;
    }
  });
  return (at) => rows.subarray(starts[at], used[at]);
}

async function compareRecorded(
  { targetFindings, table }: EngineSet,
  rows: Uint32Array,
  target: string,
  request: RequestReport,
): Promise<readonly Finding[]> {
  const found: Finding[] = [];
  if (targetFindings === undefined) return found;
  for (const row of rows) {
    const chunk = chunkOfRow(table, row);
    if (chunk === undefined) continue;
    const all = await targetFindings(chunk.array, ordinalOfRow(table, row), request);
    found.push(...all.map((one) => ({ ...one, place: { kind: "target", target, chunk } as const })));
  }
  return found;
}

// Targets for which a file was taken because it has the same name. That is a guess, and is said; where the file is
// another target's, or the others lie where references say, it is a wrong one.

/** A target and the file that was found for it. */
interface FoundFile {
  readonly target: string;
  readonly file: string;
  readonly byName: boolean;
}

interface Matched extends FoundFile {
  /** Last components of the path that target and file have in common. */
  readonly shared: number;
}

/**
 * `found`: gives all for which there is a file; it is looked through again, so that nothing need be kept of very many.
 */
function judgeByName(found: () => Iterable<FoundFile>) {
  const { isInPlace, several } = survey(found);
  const whyNot = (one: FoundFile) => {
    const same = several.get(one.file);
    // Most are alone.
    return same === undefined && !isInPlace ? undefined : whyWrong(matchOf(one), same ?? [], isInPlace);
  };
  return {
    /** Nothing says that it is another file: so it is for nearly all of very many. */
    isLikely: (one: FoundFile): boolean => whyNot(one) === undefined,
    /** `undefined` for targets whose file lies where they say. */
    causeOf(one: FoundFile): Cause | undefined {
      if (!one.byName) return undefined;
      const { file } = one;
      const why = whyNot(one);
      if (why === undefined) return cause("target-matched-by-name", { file });
      return cause("target-name-elsewhere", { file, why }, `${why} ${file}`);
    },
  };
}

/** Tells if some files lie in folders as references say, and which targets share a file. */
function survey(found: () => Iterable<FoundFile>) {
  const files = new Set<string>();
  const several = new Map<string, Matched[]>();
  let isInPlace = false;
  for (const { target, file, byName } of found()) {
    if (files.has(file)) several.set(file, []);
    files.add(file);
    isInPlace ||= !byName && /[^/]\//.test(bare(target));
  }
  if (several.size > 0) for (const one of found()) several.get(one.file)?.push(matchOf(one));
  return { isInPlace, several };
}

function whyWrong({ target, file, shared }: Matched, same: readonly Matched[], isInPlace: boolean) {
  const others = same.filter((other) => folderOf(other.target) !== folderOf(target));
  if (others.some((other) => !other.byName || other.shared > shared)) return "taken";
  if (others.some((other) => other.shared === shared)) return "shared";
  // Whole addresses lie nowhere among files.
  const isPath = !/^[a-z][a-z0-9+.-]*:\/\//i.test(target);
  return isInPlace && isPath && file.includes("/") ? "others-in-place" : undefined;
}

const matchOf = (one: FoundFile): Matched => ({
  ...one,
  shared: sharedSuffix(bare(one.target).split("/"), one.file.split("/")),
});

/** Without scheme, `./`, query and fragment. */
const bare = (target: string): string =>
  target
    .replace(/^[a-z][a-z0-9+.-]*:\/+/i, "")
    .replace(/[?#].*$/s, "")
    .replaceAll("\\", "/")
    .replace(/^(?:\.\/)+/, "");

const folderOf = (target: string): string => {
  const path = bare(target);
  return path.slice(0, path.lastIndexOf("/") + 1);
};

// Asks the chosen targets, a few at a time.

interface AskedTarget {
  readonly id: number;
  readonly target: string | null;
  readonly resolution: Resolution;
  /** Absent where it cannot be asked for. */
  readonly probe?: TargetProbe;
}

/** Together; each host has a limit of its own below it, and is left alone where nobody answers (`io/http/`). */
const AT_ONCE = 32;

/** `give` gets each with its place among `ids`, as they come. */
async function probeTargets(
  asking: Judging,
  ids: readonly number[],
  give: (asked: AskedTarget, at: number) => void | Promise<void>,
  context: CallContext,
): Promise<void> {
  let done = 0;
  // Files may be looked at without waiting for anything.
  const pace = startPace(context, "Checking sources", ids.length);
  await eachAtOnce(ids.entries(), AT_ONCE, async ([at, id]) => {
    context.signal.throwIfAborted();
    await give(await askOne(asking, id, context), at);
    done += 1;
    context.report({ label: "Checking sources", done, total: ids.length, unit: "requests" });
    await pace.yieldIfDue(done);
  });
}

async function askOne({ set, rows, origin }: Judging, id: number, context: CallContext): Promise<AskedTarget> {
  const target = targetText(set.index, rows, id);
  const resolution = set.targets.resolve(target);
  if (resolution.kind === "unresolved") return { id, target, resolution };
  const wish = { furthest: furthestOf(set, rows, id), needsSize: (rows.whole[id] ?? 0) > 0, origin };
  const probe = await set.targets.probe(resolution, wish, context);
  return { id, target, resolution, probe };
}

function furthestOf({ table }: EngineSet, { end, endRow }: TargetRows, id: number) {
  const row = (endRow[id] ?? 0) - 1;
  if (row < 0) return undefined;
  const { target, length: lengths } = blockOf(table, row);
  const at = row & 0xffff;
  const length = lengthOf(table, row, target[at] ?? 0, lengths[at] ?? 0);
  return { offset: (end[id] ?? 0) - length, length };
}
