/** Findings about targets, one a cause: targets of one host and cause are one, with the chunks that refer to them. */
import type { CallContext } from "#core/byte-source.ts";
import type { Finding, Place } from "#core/findings/fact.ts";
import {
  ARRAY_NONE,
  BLOCK_ROWS,
  LENGTH_BIG,
  LENGTH_WHOLE,
  ORDINAL_STRAY,
  ORDINAL_WIDE,
} from "#core/table/reference-table.ts";
import { startPace } from "#engine/pace.ts";
import { eachBlock, wideOrdinal } from "#engine/table/array-index.ts";
import { blockOf, lengthOf, ordinalOfRow } from "#engine/table/batch.ts";
import { OrdinalBox, addToBox, ordinalRun } from "#engine/table/ordinal-box.ts";
import type { EngineSet } from "#engine/engine-set.ts";
import { TargetMarks } from "../urls/target-places.ts";
import { chunkOfRow } from "#engine/rules/rule.ts";
import type { Cause, FaultyTarget, Reach } from "./judge-target.ts";
import { targetIdOf } from "#engine/table/target-ranges.ts";
import { targetText, type TargetRows } from "./target-rows.ts";

const MAX_PLACES = 100;

interface Group {
  readonly cause: Cause;
  readonly host: string;
  readonly first: string;
  targets: number;
  count: number;
  readonly places: Place[];
  /** How many of these are of a target, by its id. */
  readonly shares: Map<number, number>;
  readonly boxes: Map<number, OrdinalBox>;
}

interface Member {
  readonly group: Group;
  readonly reach: Reach;
}

/** Targets of one host with nothing but one cause. */
export interface AlikeTargets {
  readonly ids: readonly number[];
  readonly host: string;
  /** Cause of the first. */
  readonly cause: Cause;
}

export type TellUnreadable = (array: string, ordinal: number) => void;

/** One finding a cause. `unreadable` is told each chunk that cannot be read for one. */
export async function causeFindings(
  set: EngineSet,
  rows: TargetRows,
  faulty: readonly FaultyTarget[],
  alike: AlikeTargets | undefined,
  unreadable: TellUnreadable,
  context: CallContext,
): Promise<readonly Finding[]> {
  if (faulty.length === 0 && alike === undefined) return [];
  const groups = new Map<string, Group>();
  const marks = new TargetMarks(rows.references.length, true);
  const members: Member[] = [];
  const numbers = new Map<string, number>();
  const markOf = ({ reach }: Cause, group: Group): number => {
    const name = JSON.stringify([causeKey(group.cause, group.host), reach]);
    const mark = numbers.get(name) ?? members.push({ group, reach }) - 1;
    numbers.set(name, mark);
    return mark;
  };
  // Findings come in the order of their first targets.
  const before = faulty.filter(({ id }) => id < (alike?.ids[0] ?? 0));
  const addFaulty = (some: readonly FaultyTarget[]): void => {
    for (const { id, target, host, causes } of some)
      for (const one of causes) marks.mark(id, markOf(one, groupOf(groups, one, host, target)));
  };
  addFaulty(before);
  const [first] = alike?.ids ?? [];
  if (alike !== undefined && first !== undefined) {
    const group = groupOf(groups, alike.cause, alike.host, targetText(set.index, rows, first) ?? "null");
    group.targets += alike.ids.length - 1;
    const mark = markOf(alike.cause, group);
    for (const id of alike.ids) marks.mark(id, mark);
  }
  addFaulty(faulty.slice(before.length));
  await gather(set, rows, marks, members, unreadable, context);
  return [...groups.values()].map((group) => findingOf(set, group));
}

const causeKey = ({ code, key }: Cause, host: string): string => JSON.stringify([code, host, key]);

/** With one target more. */
function groupOf(groups: Map<string, Group>, one: Cause, host: string, target: string): Group {
  const name = causeKey(one, host);
  const known = groups.get(name);
  const group = known ?? {
    cause: one,
    host,
    first: target,
    targets: 0,
    count: 0,
    places: [],
    shares: new Map(),
    boxes: new Map(),
  };
  if (known === undefined) groups.set(name, group);
  group.targets += 1;
  return group;
}

async function gather(
  set: EngineSet,
  rows: TargetRows,
  marks: TargetMarks,
  all: readonly Member[],
  unreadable: TellUnreadable,
  context: CallContext,
): Promise<void> {
  const { index, table } = set;
  const { classOf } = marks;
  // All references of a plain class are meant alike, and can be read.
  const classes = Array.from({ length: marks.classes }, (_, one) => {
    const members = marks.marksOf(one).map((mark) => all[mark] as Member);
    return { members, isPlain: members.every(({ group, reach }) => reach.kind === "all" && group.cause.leavesBytes) };
  });
  const run = ordinalRun();
  const count = (members: readonly Member[], array: number): void => {
    const { count: rows, ordinals } = run.take();
    for (const { group } of rows === 0 ? [] : members) {
      group.count += rows;
      addToBox(group.boxes, array, table.arrays[array]?.grid, ordinals);
    }
  };
  const pace = startPace(context, "Gathering what refers to them", table.rows);
  await eachBlock(table, pace, ({ target, array, ordinal }, first, ofBlock) => {
    let [current, own, wantsPlaces] = [0, ARRAY_NONE, false];
    let { members, isPlain } = classes[0] as (typeof classes)[0];
    for (let i = 0; i < ofBlock; i += 1) {
      const id = targetIdOf(index, target[i] as number, rows.nullId);
      const ofClass = id < 0 ? 0 : (classOf[id] as number);
      if (ofClass === 0) continue;
      if (ofClass !== current || array[i] !== own) {
        count(members, own);
        [current, own] = [ofClass, array[i] as number];
        ({ members, isPlain } = classes[ofClass] as (typeof classes)[0]);
        wantsPlaces = members.some(({ group }) => group.places.length < MAX_PLACES);
      }
      if (isPlain) {
        const raw = ordinal[i] as number;
        if (raw < ORDINAL_WIDE) run.add(raw);
        else run.add(raw === ORDINAL_STRAY ? -1 : wideOrdinal(table, first + i));
        if (!wantsPlaces) continue;
        wantsPlaces = false;
        for (const { group } of members) {
          addPlace(set, rows, group, id, first + i);
          wantsPlaces ||= group.places.length < MAX_PLACES;
        }
      } else for (const member of members) addRow(set, rows, member, id, first + i, unreadable);
    }
    count(members, own);
  });
}

function addRow(
  set: EngineSet,
  rows: TargetRows,
  { group, reach }: Member,
  id: number,
  row: number,
  unreadable: TellUnreadable,
): void {
  const { table } = set;
  const block = blockOf(table, row);
  const at = row % BLOCK_ROWS;
  if (reach.kind === "past") {
    const raw = block.length[at] as number;
    const bytes = raw < LENGTH_BIG ? raw : lengthOf(table, row, block.target[at] as number, raw);
    if (raw === LENGTH_WHOLE || bytes === 0 || (block.offset[at] as number) + bytes <= reach.size) return;
  }
  group.count += 1;
  addPlace(set, rows, group, id, row);
  const own = block.array[at] ?? ARRAY_NONE;
  const slot = table.arrays[own];
  if (slot === undefined) return;
  const ordinal = ordinalOfRow(table, row);
  if (slot.grid !== undefined && ordinal >= 0) {
    const box = group.boxes.get(own) ?? new OrdinalBox(slot.grid);
    if (box.chunks === 0) group.boxes.set(own, box);
    box.add(ordinal);
  }
  if (!group.cause.leavesBytes) unreadable(slot.path, ordinal);
}

/** Each target of the group has its share of the examples. */
function addPlace({ table, index }: EngineSet, rows: TargetRows, group: Group, id: number, row: number): void {
  const { places, shares } = group;
  if (places.length >= MAX_PLACES) return;
  const share = shares.get(id) ?? 0;
  if (share >= Math.ceil(MAX_PLACES / group.targets)) return;
  shares.set(id, share + 1);
  const chunk = chunkOfRow(table, row);
  const target = targetText(index, rows, id) ?? "null";
  places.push({ kind: "target", target, ...(chunk === undefined ? {} : { chunk }) });
}

const MAX_LISTED_ARRAYS = 20;

function findingOf({ table }: EngineSet, { cause: one, first, targets, count, places, boxes }: Group): Finding {
  const arrays = [...boxes]
    .map(([id, box]) => box.extent(table.arrays[id]?.path ?? ""))
    .toSorted((a, b) => b.chunks - a.chunks);
  const listed = arrays.slice(0, MAX_LISTED_ARRAYS);
  return {
    code: one.code,
    place: places[0] ?? { kind: "target", target: first },
    facts: targets === 1 ? one.facts : { ...one.facts, targets },
    count: Math.max(1, count),
    ...(places.length > 1 ? { places } : {}),
    ...(listed.length === 0 ? {} : { extent: { arrays: listed, moreArrays: arrays.length - listed.length } }),
  };
}
