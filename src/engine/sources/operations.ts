/** Targets: which there are, what refers to them, and which of their bytes. */
import type { CallContext } from "../../core/byte-source.ts";
import { ordinalOf } from "../../core/chunk-grid.ts";
import { failure } from "../../core/findings/failure.ts";
import { targetAt } from "../../core/findings/place.ts";
import type { AccessFacts } from "../../core/access/access-recipe.ts";
import type {
  SourceByte,
  SourceDetail,
  SourceOfChunk,
  SourcePrefixes,
  SourceRanges,
  SourceStrip,
  SourcesSpec,
  SourcesTotals,
  SourcesWindow,
} from "../../core/sources.ts";
import { FIRST_SPECIAL_TARGET, LENGTH_WHOLE, TARGET_NULL } from "../../core/reference-table.ts";
import { givingAway } from "../../core/transfer.ts";
import type { House, Session } from "../sessions.ts";
import { rowOf } from "../table/array-index.ts";
import { blockOf, lengthOf } from "../table/batch.ts";
import { arraysOfTarget } from "./boxes-of-target.ts";
import { claimsOfTarget } from "./claims-of-target.ts";
import { placeOfRow, rangesAtByte, rangesBetween, type OfTarget } from "./claim-ranges.ts";
import { claimStrip } from "./claim-strip.ts";
import { prefixLevel } from "./prefix-level.ts";
import { askedTargets, sizeOf } from "./asked-targets.ts";
import { sourceIndex, type SourceIndex } from "./source-index.ts";
import { detailOf, rowsOf } from "./source-rows.ts";
import { placeOfTarget, targetList } from "./target-list.ts";

const MAX_ROWS = 500;

interface OfSet {
  readonly set: number;
}

interface AtTarget extends OfSet {
  readonly target: string | null;
}

interface Listed extends OfSet {
  readonly spec: SourcesSpec;
}

export function sourcesOperations({ sessions }: House) {
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
    /** What Python needs to get at the targets, as far as it is known by now. Of a repository it may fetch its log. */
    async access({ set }: OfSet, context: CallContext): Promise<AccessFacts> {
      const session = sessions.get(set);
      const { accessFacts } = await import("../check/sources/access-facts.ts");
      return accessFacts(session.set, [...askedTargets(session).values()], context);
    },
  };
}

/** `target`s that nothing refers to throw `no-such-target`. */
function bytesOfTargets({ sessions }: Pick<House, "sessions">) {
  const placeOf = async ({ set, target }: AtTarget, context: CallContext) => {
    const sources = await sourceIndex(sessions.get(set).set.index, context);
    const place = placeOfTarget(sources, target);
    if (place < 0) throw failure("no-such-target", targetAt(target ?? "null"), {});
    return { sources, place };
  };
  const claimsOf = async (at: AtTarget, context: CallContext): Promise<OfTarget & { readonly place: number }> => {
    const { sources, place } = await placeOf(at, context);
    const size = sizeOf(askedTargets(sessions.get(at.set)).get(at.target));
    return { sources, place, size, claims: await claimsOfTarget(sources, place, context) };
  };
  return {
    async target(at: AtTarget, context: CallContext): Promise<SourceDetail> {
      return detailOf(await claimsOf(at, context), askedTargets(sessions.get(at.set)).get(at.target), context);
    },
    /** Bytes `from` to `to` of a target in so many pixels. */
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
    /** What refers to a byte. */
    async byte({ byte, ...at }: AtTarget & { readonly byte: number }, context: CallContext): Promise<SourceByte> {
      return rangesAtByte(await claimsOf(at, context), byte);
    },
    /** Where the bytes of a chunk are; `undefined` where they are in no target. */
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
  const asked = [...askedTargets(session).values()].filter(({ probe }) => probe !== undefined);
  return {
    targets: sources.count,
    references: sources.rows.length,
    bytes: sources.bytesBefore.at(-1) ?? 0,
    allBytes: tally.bytes,
    whole: sources.whole.reduce((sum, one) => sum + one, 0),
    inline: tally.states.inline,
    native: tally.states.native,
    asked: asked.length,
    sound: asked.filter(({ isSound }) => isSound).length,
  };
}
