/** Targets: which there are, what refers to them, and which of their bytes. */
import type { AccessFacts } from "#core/access/access-recipe.ts";
import type { CallContext } from "#core/byte-source.ts";
import { ordinalOf } from "#core/metadata/chunk-grid.ts";
import { failure, type Finding, finding, targetAt } from "#core/findings/finding.ts";
import type { Traffic } from "#core/file-bytes.ts";
import type { FileLayout, StructureWindow } from "#core/source-file.ts";
import { FIRST_SPECIAL_TARGET, LENGTH_WHOLE, TARGET_NULL } from "#core/table/reference-table.ts";
import {
  type SourceByte,
  type SourceColumn,
  type SourceDetail,
  type SourceOfChunk,
  type SourcePrefix,
  type SourcePrefixes,
  type SourceRanges,
  type SourcesSpec,
  type SourcesTotals,
  type SourceStrip,
  type SourcesWindow,
  STRIP_KINDS,
  type StripKind,
} from "#core/check/sources.ts";
import { givingAway } from "#core/transfer.ts";
import { type Pace, startPace } from "../pace.ts";
import type { EngineContext, OfSet, Session } from "../sessions.ts";
import { judgeTarget, type TargetOutline } from "../check/sources/judge-target.ts";
import type { EngineSet } from "../engine-set.ts";
import { type Network, targetReader } from "../chunk/sources.ts";
import { rowOf } from "../table/array-index.ts";
import { blockOf, lengthOf } from "../table/batch.ts";
import { placesInOrder } from "../table/radix.ts";
import type { TargetClaims } from "../table/target-ranges.ts";
import { askedTargets, sizeOf, detailOf, rowsOf } from "./source-rows.ts";
import {
  claimsOfPlace,
  eachOverlap,
  firstReaching,
  isSame,
  type OfTarget,
  placeOfRow,
  rangesAtByte,
  rangesBetween,
} from "./claims-of-target.ts";
import { firstPlace } from "#core/basics.ts";
import { keptLast } from "../kept.ts";
import { arraysOfTarget, bytesOf, referencesOf, sourceIndex, sourceText, endOfPrefix } from "./source-index.ts";
import type { SourceIndex } from "./source-index.ts";

// The bytes of a target as a strip of pixels.

interface StripWindow {
  /** Bytes; `to` excluded. */
  readonly from: number;
  readonly to: number;
  readonly pixels: number;
  /** Size of the target, if known. */
  readonly size: number | undefined;
}

/** Outline of a target of which only the address is known. */
const PLAIN: TargetOutline = {
  end: 1,
  isFile: false,
  mayBeGzip: false,
  near: undefined,
  written: undefined,
  origin: undefined,
};

/**
 * Findings that keep a page from reading a URL, by at most two small requests. The user typed it: it may be private, and
 * what comes of it is not the set's.
 */
async function triedUrl({ targets }: EngineSet, url: string, network: Network, context: CallContext) {
  const reader = targetReader(
    { base: { kind: "url", url }, files: undefined, path: undefined },
    targets.locations,
    network,
  );
  const resolution = reader.resolve(url);
  if (resolution.kind === "unresolved") return [resolution.finding];
  const probe = await reader.probe(resolution, { furthest: { offset: 0, length: 16 } }, context);
  return judgeTarget(probe, PLAIN).map(({ code, facts }): Finding => finding(code, targetAt(url), facts as never));
}

const MAX_PIXELS = 16_384;
const CLAIM_STRIP_LOOK = 0x3fff;

interface Painting extends Omit<SourceStrip, "to" | "shares"> {
  /** Pixels a byte. */
  readonly scale: number;
  /** Pixels' shares that ranges name, and the most that one array has. */
  readonly claimed: Float64Array;
  readonly most: Float64Array;
}

/** `arrays`: ids of the arrays that reference the source, in the order of its detail; -1 for stray keys. */
export async function claimStrip(
  sources: SourceIndex,
  claims: TargetClaims,
  arrays: readonly number[],
  window: StripWindow,
  context: CallContext,
): Promise<SourceStrip> {
  const { from, to, size } = window;
  const pixels = Math.max(0, Math.min(MAX_PIXELS, Math.floor(window.pixels)));
  const painting: Painting = {
    from,
    scale: to > from ? pixels / (to - from) : 0,
    kinds: new Uint8Array(pixels),
    claimed: new Float64Array(pixels),
    most: new Float64Array(pixels),
    owners: new Uint8Array(pixels),
    begins: new Uint8Array(pixels),
  };
  const colours = new Uint8Array(0x1_0000);
  for (const [at, id] of arrays.slice(0, 255).entries()) if (id >= 0) colours[id] = at + 1;
  const pace = startPace(context, "Drawing bytes", claims.count);
  const first = firstReaching(claims, from);
  for (let at = first; at < claims.count && (claims.from[at] as number) < to; at += 1) {
    paintClaim(painting, sources, claims, at, colours, size);
    if ((at & CLAIM_STRIP_LOOK) === CLAIM_STRIP_LOOK) await pace.yieldIfDue(at);
  }
  eachOverlap(claims, first, (start, end) => {
    if (start >= to) return false;
    mark(painting, "overlap", start, end);
    return true;
  });
  const shares = Uint8Array.from(painting.claimed, (share) =>
    share === 0 ? 0 : Math.max(1, Math.min(255, Math.round(share * 255))),
  );
  return { from, to, kinds: painting.kinds, shares, owners: painting.owners, begins: painting.begins };
}

function paintClaim(
  painting: Painting,
  { index }: SourceIndex,
  claims: TargetClaims,
  at: number,
  colours: Uint8Array,
  size: number | undefined,
): void {
  const [from, to] = [claims.from[at] as number, claims.to[at] as number];
  const row = claims.rows[at] as number;
  if (from >= painting.from) painting.begins[Math.floor((from - painting.from) * painting.scale)] = 1;
  const owner = colours[blockOf(index.table, row).array[row & 0xffff] as number] as number;
  paint(painting, [from, to], at === 0 ? 0 : (claims.reach[at - 1] as number), owner);
  mark(painting, isSame(claims, at, at - 1) || isSame(claims, at, at + 1) ? "shared" : "claimed", from, to);
  if (size !== undefined && to > size) mark(painting, "past-end", Math.max(from, size), to);
}

/** `reached`: bytes before it are counted already. */
function paint(
  { from: start, scale, claimed, most, owners }: Painting,
  [from, to]: readonly [from: number, to: number],
  reached: number,
  owner: number,
): void {
  const first = Math.max(0, (from - start) * scale);
  const end = Math.min(claimed.length, (to - start) * scale);
  const fresh = Math.max(first, (reached - start) * scale);
  for (let pixel = Math.floor(first); pixel < end; pixel += 1) {
    const upper = Math.min(end, pixel + 1);
    const share = upper - Math.max(first, pixel);
    (claimed[pixel] as number) += Math.max(0, upper - Math.max(fresh, pixel));
    if (share <= (most[pixel] as number)) continue;
    most[pixel] = share;
    owners[pixel] = owner;
  }
}

/** At least one pixel, so that a problem with a single byte is visible. */
function mark({ from: start, scale, kinds }: Painting, kind: StripKind, from: number, to: number): void {
  const code = STRIP_KINDS.indexOf(kind);
  const end = Math.min(kinds.length, (to - start) * scale);
  for (let pixel = Math.max(0, Math.floor((from - start) * scale)); pixel < end; pixel += 1) {
    if ((kinds[pixel] as number) < code) kinds[pixel] = code;
  }
}

// Which sources are listed, their order, and the position of one of them.

const MAX_LISTS = 4;

/** Places, in the order of the list. */
export function targetList(sources: SourceIndex, spec: SourcesSpec, context: CallContext): Promise<Uint32Array> {
  return keptLast(sources.kept.lists, JSON.stringify(spec), MAX_LISTS, async () => {
    const pace = startPace(context, "Listing targets", sources.count);
    return sorted(sources, await withText(sources, placesBelow(sources, spec.prefix), spec.text, pace), spec, pace);
  });
}

/** Places of the URLs that begin with a prefix. */
function prefixRange(sources: SourceIndex, prefix: string): readonly [from: number, to: number] {
  const text = (place: number) => sourceText(sources, place);
  const from = firstPlace(0, sources.named, (place) => text(place) < prefix);
  if (from === sources.named || !text(from).startsWith(prefix)) return [from, from];
  return [from, endOfPrefix(text, prefix, from, sources.named)];
}

/** -1 where nothing refers to it. */
export function placeOfTarget(sources: SourceIndex, target: string | null): number {
  if (target === null) return sources.count > sources.named ? sources.named : -1;
  const place = firstPlace(0, sources.named, (at) => sourceText(sources, at) < target);
  return place < sources.named && sourceText(sources, place) === target ? place : -1;
}

function placesBelow(sources: SourceIndex, prefix: string): Uint32Array {
  const [from, to] = prefix === "" ? [0, sources.count] : prefixRange(sources, prefix);
  return Uint32Array.from({ length: to - from }, (_, at) => from + at);
}

const TARGET_LIST_LOOK = 0xfff;

async function withText(sources: SourceIndex, places: Uint32Array, text: string, pace: Pace): Promise<Uint32Array> {
  if (text === "") return places;
  let count = 0;
  for (const [at, place] of places.entries()) {
    if (place < sources.named && sourceText(sources, place).includes(text)) places[count++] = place;
    if ((at & TARGET_LIST_LOOK) === TARGET_LIST_LOOK) await pace.yieldIfDue(at);
  }
  return places.slice(0, count);
}

type Value = (sources: SourceIndex, place: number) => number;

const VALUES: Readonly<Record<Exclude<SourceColumn, "target">, Value>> = {
  references: referencesOf,
  bytes: bytesOf,
  arrays: ({ arrays }, place) => arrays[place] as number,
  end: ({ end }, place) => end[place] as number,
};

async function sorted(
  sources: SourceIndex,
  places: Uint32Array,
  { sort: { column, descending } }: SourcesSpec,
  pace: Pace,
): Promise<Uint32Array> {
  if (column === "target") return descending ? places.toReversed() : places;
  const values = Float64Array.from(places, (place) => VALUES[column](sources, place));
  // Equal ones stay in the order of their URLs.
  const most = descending ? values.reduce((a, b) => Math.max(a, b), 0) : 0;
  const order = await placesInOrder(descending ? values.map((value) => most - value) : values, pace);
  return Uint32Array.from(order, (at) => places[at] as number);
}

const MAX_ROWS = 500;

interface AtTarget extends OfSet {
  readonly target: string | null;
}

interface Listed extends OfSet {
  readonly spec: SourcesSpec;
}

export function sourcesOperations(engine: EngineContext) {
  return {
    ...readingOperations(engine),
    tryUrl: ({ set, url }: OfSet & { readonly url: string }, context: CallContext) =>
      triedUrl(engine.sessions.get(set).set, url, engine.network, context),
  };
}

function readingOperations({ sessions }: EngineContext) {
  const sourcesOf = ({ set }: OfSet, context: CallContext) => sourceIndex(sessions.get(set).set.index, context);
  return {
    ...bytesOfTargets({ sessions }),
    async totals({ set }: OfSet, context: CallContext): Promise<SourcesTotals> {
      const session = sessions.get(set);
      return totalsOf(session, await sourcesOf({ set }, context));
    },
    /** Targets `from` to `to` of a list. */
    async targets(
      { set, spec, from, to }: Listed & { readonly from: number; readonly to: number },
      context: CallContext,
    ): Promise<SourcesWindow> {
      const sources = await sourcesOf({ set }, context);
      const list = await targetList(sources, spec, context);
      const places = list.subarray(Math.max(0, from), Math.min(to, from + MAX_ROWS));
      const asked = askedTargets(sessions.get(set));
      return { total: list.length, rows: await rowsOf(sources, places, Math.max(0, from), asked, context) };
    },
    /** Position of a target in a list, -1 where it is not listed. */
    async find({ set, spec, target }: Listed & AtTarget, context: CallContext): Promise<number> {
      const sources = await sourcesOf({ set }, context);
      const place = placeOfTarget(sources, target);
      return place < 0 ? -1 : (await targetList(sources, spec, context)).indexOf(place);
    },
    /** A level of the tree: prefixes below one, `""` for the first. */
    async prefixes(
      { set, prefix }: OfSet & { readonly prefix: string },
      context: CallContext,
    ): Promise<SourcePrefixes> {
      return prefixLevel(await sourcesOf({ set }, context), prefix, context);
    },
    ...theFile({ sessions }),
    /** Facts that Python needs to read the targets, as far as known. For a repository it may fetch its log. */
    async access({ set }: OfSet, context: CallContext): Promise<AccessFacts> {
      const session = sessions.get(set);
      const { accessFacts } = await import("../check/sources/access-facts.ts");
      return accessFacts(session.set, [...askedTargets(session).values()], context);
    },
  };
}

/** Operations on a set that is a data file. */
function theFile({ sessions }: Pick<EngineContext, "sessions">) {
  return {
    /** `undefined`: it is none. */
    async layout({ set }: OfSet): Promise<FileLayout | undefined> {
      const { sourceFile, fileReading } = sessions.get(set).set;
      if (sourceFile === undefined || fileReading === undefined) return undefined;
      const { layoutOf } = await import("./file-layout.ts");
      return layoutOf(sourceFile, fileReading.size);
    },
    /** Requests of a reader for all of its metadata; `undefined` if they were not counted. */
    traffic: async ({ set }: OfSet, context: CallContext): Promise<Traffic | undefined> =>
      sessions.get(set).set.fileReading?.traffic(context),
    /** Structures `from` to `to` in the order of bytes. */
    structures({ set, from, to }: OfSet & { readonly from: number; readonly to: number }): StructureWindow {
      const { structures = [] } = sessions.get(set).set.sourceFile ?? {};
      return { total: structures.length, rows: structures.slice(Math.max(0, from), Math.min(to, from + MAX_ROWS)) };
    },
  };
}

/** `target`s that nothing refers to throw `no-such-target`. */
function bytesOfTargets({ sessions }: Pick<EngineContext, "sessions">) {
  const claimsOf = async (
    { set, target }: AtTarget,
    context: CallContext,
  ): Promise<OfTarget & { readonly place: number }> => {
    const session = sessions.get(set);
    const sources = await sourceIndex(session.set.index, context);
    const place = placeOfTarget(sources, target);
    if (place < 0) throw failure("no-such-target", targetAt(target ?? "null"), {});
    const size = sizeOf(askedTargets(session).get(target));
    return { sources, place, size, claims: await claimsOfPlace(sources, place) };
  };
  return {
    async target(at: AtTarget, context: CallContext): Promise<SourceDetail> {
      return detailOf(await claimsOf(at, context), askedTargets(sessions.get(at.set)).get(at.target), context);
    },
    /** Bytes `from` to `to` of a source, at this pixel width. */
    async strip(
      { from, to, pixels, ...at }: AtTarget & { readonly from: number; readonly to: number; readonly pixels: number },
      context: CallContext,
    ): Promise<SourceStrip> {
      const of = await claimsOf(at, context);
      const { index } = of.sources;
      const arrays = (await arraysOfTarget(of.sources, of.place, context)).map(
        (one) => index.arrayIds.get(one.array) ?? -1,
      );
      const strip = await claimStrip(of.sources, of.claims, arrays, { from, to, pixels, size: of.size }, context);
      return givingAway(strip, [strip.kinds.buffer, strip.shares.buffer, strip.owners.buffer, strip.begins.buffer]);
    },
    /** Ranges `from` to `to` of a target, by their places in the order of bytes. */
    async ranges(
      { from, to, ...at }: AtTarget & { readonly from: number; readonly to: number },
      context: CallContext,
    ): Promise<SourceRanges> {
      return rangesBetween(await claimsOf(at, context), from, to);
    },
    /** References to a byte. */
    async byte({ byte, ...at }: AtTarget & { readonly byte: number }, context: CallContext): Promise<SourceByte> {
      return rangesAtByte(await claimsOf(at, context), byte);
    },
    /** Place of a chunk's bytes; `undefined` if they are in no target. */
    async ofChunk(
      { set, array, coordinates }: OfSet & { readonly array: string; readonly coordinates: readonly number[] },
      context: CallContext,
    ): Promise<SourceOfChunk | undefined> {
      const { index } = sessions.get(set).set;
      const { table } = index;
      const id = index.arrayIds.get(array);
      const ordinal = id === undefined ? undefined : ordinalOf(table.arrays[id]?.grid ?? [], coordinates);
      if (id === undefined || ordinal === undefined) return undefined;
      const row = rowOf(await index.arrayIndex(id, context), ordinal);
      if (row < 0) return undefined;
      const { target: targets, offset, length } = blockOf(table, row);
      const to = targets[row & 0xffff] as number;
      if (to >= FIRST_SPECIAL_TARGET && to !== TARGET_NULL) return undefined;
      const target = to === TARGET_NULL ? null : table.targets.text(to);
      const raw = length[row & 0xffff] as number;
      if (raw === LENGTH_WHOLE) return { target, place: -1 };
      const from = offset[row & 0xffff] as number;
      const of = await claimsOf({ set, target }, context);
      return { target, place: placeOfRow(of, row, from, from + lengthOf(table, row, to, raw)) };
    },
  };
}

function totalsOf(session: Session, sources: SourceIndex): SourcesTotals {
  const { tally } = session.set;
  const told = [...askedTargets(session).values()].filter(({ probe }) => probe !== undefined);
  // If targets are very many, only those with findings are kept.
  const asked = Math.max(told.length, Math.min(sources.count, session.checks.sources?.targets?.asked ?? 0));
  return {
    targets: sources.count,
    references: sources.ranges.rows.length,
    bytes: sources.bytesBefore.at(-1) ?? 0,
    allBytes: tally.bytes,
    whole: sources.whole.reduce((sum, one) => sum + one, 0),
    inline: tally.states.inline,
    native: tally.states.native,
    asked,
    sound: asked - told.filter(({ isSound }) => !isSound).length,
  };
}

// One level of the tree of prefixes: what stands between two slashes of the URLs, scheme and host in one.

const MAX_PREFIXES = 500;
const LOOK = 0xff;

/** Below `prefix`, which ends with a slash, or is `""` for the first level. */
export async function prefixLevel(sources: SourceIndex, prefix: string, context: CallContext): Promise<SourcePrefixes> {
  const text = (place: number) => sourceText(sources, place);
  const [first, end] = prefixRange(sources, prefix);
  const pace = startPace(context, "Listing prefixes", sources.count);
  const prefixes: SourcePrefix[] = [];
  let more = 0;
  for (let from = first, steps = 0; from < end; steps += 1) {
    const child = childOf(text(from), prefix);
    if (child === undefined) {
      from += 1;
    } else {
      const to = endOfPrefix(text, child, from, end);
      if (prefixes.length < MAX_PREFIXES) prefixes.push(await describe(sources, prefix, child, [from, to], pace));
      else more += 1;
      from = to;
    }
    if ((steps & LOOK) === LOOK) await pace.yieldIfDue(from);
  }
  return { prefixes, more };
}

/** The prefix one level further down, `undefined` where the URL ends at this one. */
export function childOf(url: string, prefix: string): string | undefined {
  // Slashes in data part nothing.
  if (url.startsWith("data:")) return undefined;
  const authority = prefix === "" ? (/^[a-z][a-z\d+.-]*:\/\//i.exec(url)?.[0].length ?? 0) : prefix.length;
  // The part after a question mark is no folder.
  const query = url.indexOf("?", authority);
  const slash = url.indexOf("/", authority);
  return slash < 0 || (query >= 0 && query < slash) ? undefined : url.slice(0, slash + 1);
}

/** Places `from` to before `to` begin with `child`. */
async function describe(
  sources: SourceIndex,
  above: string,
  child: string,
  [from, to]: readonly [from: number, to: number],
  pace: Pace,
): Promise<SourcePrefix> {
  const prefix = commonFolder(sourceText(sources, from), sourceText(sources, to - 1), child);
  const { before, bytesBefore } = sources;
  return {
    prefix,
    label: prefix.slice(above.length),
    targets: to - from,
    references: (before[to] as number) - (before[from] as number),
    bytes: (bytesBefore[to] as number) - (bytesBefore[from] as number),
    isParent: await hasFolder(sources, prefix, [from, to], pace),
  };
}

/** Common prefix of sorted URLs (compare first and last), cut at a slash, at least `least` long. */
function commonFolder(first: string, last: string, least: string): string {
  let folder = least;
  for (;;) {
    const next = childOf(first, folder);
    if (next === undefined || !last.startsWith(next)) return folder;
    folder = next;
  }
}

/** True if some URL continues below a prefix. Folders may come after many names. */
async function hasFolder(
  sources: SourceIndex,
  prefix: string,
  [from, to]: readonly [from: number, to: number],
  pace: Pace,
): Promise<boolean> {
  for (let place = from; place < to; place += 1) {
    if (childOf(sourceText(sources, place), prefix) !== undefined) return true;
    if ((place & LOOK) === LOOK) await pace.yieldIfDue(place);
  }
  return false;
}
