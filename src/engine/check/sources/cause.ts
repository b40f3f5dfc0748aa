/** Findings about targets, one a cause: targets of one host and cause are one, with the chunks that refer to them. */
import type { CallContext } from "../../../core/byte-source.ts";
import { coordinatesOf } from "../../../core/chunk-grid.ts";
import type { Facts, Finding } from "../../../core/findings/fact.ts";
import type { Code, FactsOf } from "../../../core/findings/finding.ts";
import { chunkAt, type ChunkPlace, type Place } from "../../../core/findings/place.ts";
import { ARRAY_NONE, LENGTH_BIG, LENGTH_WHOLE } from "../../../core/reference-table.ts";
import { startPace } from "../../pace.ts";
import { eachBlock } from "../../table/array-index.ts";
import { blockOf, lengthOf, ordinalOfRow } from "../../table/batch.ts";
import { OrdinalBox } from "../../table/ordinal-box.ts";
import type { EngineSet } from "../../engine-set.ts";
import { targetIdOf, type TargetRows } from "./target-rows.ts";

/** Which references of a target a cause is about: all, or those that end after its end. */
export type Reach = { readonly kind: "all" } | { readonly kind: "past"; readonly size: number };

export interface Cause {
  readonly code: Code;
  readonly facts: Facts;
  /** Tells causes of one code and host apart. */
  readonly key: string;
  readonly reach: Reach;
  /** Chunks can be read all the same. */
  readonly leavesBytes: boolean;
}

/** Those that leave the bytes as they are. */
const HARMLESS: ReadonlySet<string> = new Set([
  "range-ignored",
  "range-encoded",
  "cors-absent",
  "target-newer",
  "target-matched-by-name",
]);

export const isHarmless = ({ leavesBytes }: Cause): boolean => leavesBytes;

/** A finding of what asks, as it is. */
export const causeOfFinding = ({ code, facts }: Pick<Finding, "code" | "facts">, key: string): Cause => ({
  code: code as Code,
  facts,
  key,
  reach: ALL,
  leavesBytes: HARMLESS.has(code),
});

export const ALL: Reach = { kind: "all" };

export const cause = <C extends Code>(code: C, facts: FactsOf<C>, key = "", reach: Reach = ALL): Cause => ({
  code,
  facts,
  key,
  reach,
  leavesBytes: HARMLESS.has(code),
});

/** A target with what is wrong with it. */
export interface FaultyTarget {
  readonly id: number;
  readonly target: string;
  readonly host: string;
  readonly causes: readonly Cause[];
}

const MAX_PLACES = 100;

interface Group {
  readonly cause: Cause;
  readonly first: string;
  targets: number;
  count: number;
  readonly places: Place[];
  readonly boxes: Map<number, OrdinalBox>;
}

interface Member {
  readonly group: Group;
  readonly reach: Reach;
  readonly target: string;
  kept: number;
}

/** One finding a cause. `unreadable` is told each chunk that cannot be read for one. */
export async function causeFindings(
  set: EngineSet,
  rows: TargetRows,
  faulty: readonly FaultyTarget[],
  unreadable: (array: string, ordinal: number) => void,
  context: CallContext,
): Promise<readonly Finding[]> {
  if (faulty.length === 0) return [];
  const groups = new Map<string, Group>();
  const members = new Map<number, readonly Member[]>();
  for (const { id, target, host, causes } of faulty)
    members.set(
      id,
      causes.map((one) => memberOf(groups, one, host, target)),
    );
  await gather(set, rows, members, unreadable, context);
  return [...groups.values()].map((group) => findingOf(set, group));
}

function memberOf(groups: Map<string, Group>, one: Cause, host: string, target: string): Member {
  const name = JSON.stringify([one.code, host, one.key]);
  const group = groups.get(name) ?? { cause: one, first: target, targets: 0, count: 0, places: [], boxes: new Map() };
  groups.set(name, group);
  group.targets += 1;
  return { group, reach: one.reach, target, kept: 0 };
}

async function gather(
  { index, table }: EngineSet,
  rows: TargetRows,
  members: ReadonlyMap<number, readonly Member[]>,
  unreadable: (array: string, ordinal: number) => void,
  context: CallContext,
): Promise<void> {
  const isFaulty = new Uint8Array(rows.references.length);
  for (const id of members.keys()) isFaulty[id] = 1;
  const pace = startPace(context, "Gathering what refers to them", table.rows);
  await eachBlock(table, pace, ({ target, offset, length }, first, count) => {
    for (let i = 0; i < count; i += 1) {
      const id = targetIdOf(index, target[i] as number, rows.nullId);
      if (id < 0 || isFaulty[id] === 0) continue;
      for (const member of members.get(id) ?? []) {
        const { reach } = member;
        if (reach.kind === "past") {
          const raw = length[i] as number;
          const bytes = raw < LENGTH_BIG ? raw : lengthOf(table, first + i, target[i] as number, raw);
          if (raw === LENGTH_WHOLE || bytes === 0 || (offset[i] as number) + bytes <= reach.size) continue;
        }
        addRow(table, member, first + i);
        if (member.group.cause.leavesBytes) continue;
        const slot = table.arrays[blockOf(table, first + i).array[i] ?? ARRAY_NONE];
        if (slot !== undefined) unreadable(slot.path, ordinalOfRow(table, first + i));
      }
    }
  });
}

function addRow(table: EngineSet["table"], member: Member, row: number): void {
  const { group, target } = member;
  group.count += 1;
  include(table, group.boxes, row);
  // Each of its targets has its share of the examples.
  if (group.places.length >= MAX_PLACES || member.kept >= Math.ceil(MAX_PLACES / group.targets)) return;
  member.kept += 1;
  const chunk = chunkOfRow(table, row);
  group.places.push({ kind: "target", target, ...(chunk === undefined ? {} : { chunk }) });
}

/** `undefined` for a reference whose key fits no grid. */
export function chunkOfRow(table: EngineSet["table"], row: number): ChunkPlace | undefined {
  const slot = table.arrays[blockOf(table, row).array[row & 0xffff] ?? ARRAY_NONE];
  const ordinal = ordinalOfRow(table, row);
  if (slot?.grid === undefined || ordinal < 0) return undefined;
  return chunkAt(slot.path, coordinatesOf(slot.grid, ordinal));
}

function include(table: EngineSet["table"], boxes: Map<number, OrdinalBox>, row: number): void {
  const array = blockOf(table, row).array[row & 0xffff] ?? ARRAY_NONE;
  const ordinal = ordinalOfRow(table, row);
  const grid = table.arrays[array]?.grid;
  if (grid === undefined || ordinal < 0) return;
  const box = boxes.get(array) ?? new OrdinalBox(grid);
  boxes.set(array, box);
  box.add(ordinal);
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
