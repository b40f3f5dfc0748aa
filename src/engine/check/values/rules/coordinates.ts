/**
 * Coordinates, read whole: without values, repeated, out of order, with steps that change where another file begins.
 */
import { chunkAlong, startAlong } from "#core/metadata/chunk-grid.ts";
import { type Finding, finding, nodeAt } from "#core/findings/finding.ts";
import { isDataFile } from "#engine/engine-set.ts";
import { textOf } from "#engine/many/axis.ts";
import { timeText } from "#core/cf/cf-time.ts";
import { secondsOf } from "#engine/check/witness/units.ts";
import { scalingOfNode } from "../note-chunk.ts";
import { describeCoordinate, type CoordinateFault } from "../coordinate-faults.ts";
import { CHUNK_DECODED, NO_FILE, slotOf, type ArrayFacts } from "../value-facts.ts";
import {
  explainSlots,
  fileAt,
  isOpen,
  middle,
  placeAlong,
  placeIn,
  slotsOfFile,
  stepsOf,
  strideOf,
  withChunks,
} from "../value-rule.ts";
import type { ValueRule, ValuesView } from "../value-rule.ts";

export const coordinates: ValueRule = {
  id: "coordinates",
  codes: [
    "coordinate-missing-values",
    "coordinate-restarts",
    "coordinate-unit-changes",
    "coordinate-files-unordered",
    "coordinate-repeated",
    "coordinate-unordered",
    "coordinate-gap",
    "file-repeated",
  ],
  ofArray(facts, sink, view) {
    const { whole } = facts;
    if (whole === undefined || whole.length < 2) return;
    if (facts.states.some((state, slot) => state !== CHUNK_DECODED || !isOpen(facts, slot))) return;
    const fault = describeCoordinate(whole, blocksOf(facts), { wraps: isLongitude(facts), epoch: epochOf(facts) });
    if (fault !== undefined && !(fault.kind === "unordered" && mayBeUnordered(facts, whole)))
      sink(findingOf(view, facts, fault));
  },
};

/**
 * Members of an ensemble have no order. Means over years of each month or day (CDO's `ymonmean`) have the time of their
 * last year, and follow each other through the year.
 */
function mayBeUnordered({ node }: ArrayFacts, values: Float64Array): boolean {
  if (textOf(node, "standard_name") === "realization" || /^(?:number|member|realization)$/.test(node.name)) return true;
  const time = scalingOfNode(node)?.time;
  if (time === undefined) return false;
  const days = Array.from(values, (value) =>
    Number(/-(\d\d-\d\d)/.exec(timeText(value, time) ?? "")?.[1]?.replace("-", "") ?? NaN),
  );
  return days.length > 2 && days.every((day, at) => at === 0 || day > (days[at - 1] as number));
}

/** Position where each file begins; of an array in one file, or none, that of each chunk. */
function blocksOf({ files, ordinals, node }: ArrayFacts): readonly number[] {
  const edges = node.metadata.chunks[0] ?? 1;
  const areFiles = new Set(files).size > 1;
  return [...ordinals.keys()].flatMap((slot) => {
    const isNew = !areFiles || slot === 0 || files[slot] !== files[slot - 1] || files[slot] === NO_FILE;
    return isNew ? [startAlong(edges, ordinals[slot] as number)] : [];
  });
}

function isLongitude({ node }: ArrayFacts): boolean {
  return /^lon/i.test(node.name) || /^degrees?_?e/i.test(textOf(node, "units") ?? "");
}

/** 1970-01-01 as the array counts time. */
function epochOf({ node }: ArrayFacts): number | undefined {
  const time = scalingOfNode(node)?.time;
  if (time === undefined) return undefined;
  const [zero = NaN, one = NaN] = secondsOf([0, 1], time);
  return -zero / (one - zero);
}

function findingOf(view: ValuesView, facts: ArrayFacts, fault: CoordinateFault): Finding {
  const { node, whole = new Float64Array() } = facts;
  const slotAt = (position: number) => slotOf(facts, chunkAlong(node.metadata.chunks[0] ?? 1, position));
  const slots = [...new Set(fault.positions.map(slotAt))].filter((slot) => slot >= 0);
  const [first = 0] = slots;
  const files = slots.map((slot) => fileAt(facts, slot) ?? "");
  const units = textOf(node, "units");
  const last = slots.at(-1) ?? first;
  const [place, ofFile] = [nodeAt(node.path), fileAt(facts, last)];
  const atFile = placeIn(facts, ofFile === undefined ? first : last, ofFile);
  const about = { values: fault.values, positions: fault.positions.slice(0, 10), units };
  const named = { ...about, files: files.some((file) => file !== "") ? [...new Set(files)].slice(0, 4) : [] };
  const make = (): Finding => {
    switch (fault.kind) {
      case "missing":
        // A mark that is not declared is what is meant by that.
        explainSlots(facts, facts.ordinals.keys());
        return finding("coordinate-missing-values", place, {
          missing: fault.count,
          of: fault.of,
          isUnwritten: fault.count === fault.of && isDataFile(view.set),
        });
      case "restarts":
        return finding("coordinate-restarts", atFile, { ...named, times: fault.count });
      case "unit":
        return finding("coordinate-unit-changes", atFile, {
          ...named,
          factor: fault.factor ?? 1,
          ...(fault.sinceEpoch === true ? { sinceEpoch: true } : {}),
        });
      case "files":
        return finding("coordinate-files-unordered", atFile, named);
      case "copy":
        return isCopied(view, fault)
          ? finding("file-repeated", atFile, named)
          : finding("coordinate-repeated", atFile, { ...about, count: fault.count, each: undefined });
      case "repeated":
        return finding("coordinate-repeated", place, { ...about, count: fault.count, each: eachOf(facts, fault) });
      case "unordered":
        return finding("coordinate-unordered", place, {
          ...about,
          count: fault.count,
          swapped: fault.swapped === true,
          ...wrappedOf(node, whole),
        });
      case "gap":
        return finding("coordinate-gap", atFile, {
          ...named,
          step: fault.step ?? NaN,
          steps: fault.factor ?? 1,
        });
    }
  };
  if (["files", "copy", "restarts", "unit"].includes(fault.kind)) claimAlong(view, facts, slots);
  return withChunks(make(), facts, slots.length === 0 ? [0] : slots);
}

/** Integers that have wrapped around, by the bits that they were written with, if their steps are even otherwise. */
function wrappedOf({ metadata }: ArrayFacts["node"], values: Float64Array): { readonly bits?: number } {
  const { kind, itemSize } = metadata.dataType;
  if (kind !== "int" && kind !== "uint") return {};
  const steps = stepsOf(values);
  const usual = middle(steps);
  const isUsual = (step: number) => usual !== 0 && Math.abs(step - usual) <= Math.abs(usual) / 2;
  const odd = steps.filter((step) => !isUsual(step));
  const bits = [16, 32].find(
    (one) => one <= itemSize * 8 && odd.every((step) => isUsual(step + Math.sign(usual) * 2 ** one)),
  );
  return odd.length === 0 || bits === undefined ? {} : { bits };
}

/** Step of integers only: floats are not cut to whole units. */
const eachOf = ({ node }: ArrayFacts, { each }: CoordinateFault): number | undefined =>
  ["int", "uint", "datetime"].includes(node.metadata.dataType.kind) ? each : undefined;

/** Data along a coordinate whose files are out of place is out of place as well: it needs no finding of its own. */
function claimAlong({ facts: all }: ValuesView, { files }: ArrayFacts, slots: readonly number[]): void {
  const meant = new Set(slots.map((slot) => files[slot]).filter((file) => file !== undefined && file !== NO_FILE));
  for (const facts of all) for (const file of meant) explainSlots(facts, slotsOfFile(facts, file as number));
}

/** True if the data of the two files are the same as well. */
function isCopied({ facts: all }: ValuesView, { positions, length }: CoordinateFault): boolean {
  const [one = 0, other = 0] = positions;
  const along = all.filter(
    ({ axis, node, whole }) => whole === undefined && axis >= 0 && node.metadata.shape[axis] === length,
  );
  const compared = along.map((facts) => isSameAlong(facts, one, other));
  return compared.some((same) => same) && compared.filter((same) => same).length * 2 >= compared.length;
}

function isSameAlong(facts: ArrayFacts, one: number, other: number): boolean {
  const { axis, node, grid, ordinals, columns } = facts;
  const edges = node.metadata.chunks[axis] ?? 1;
  const [from, to] = [chunkAlong(edges, one), chunkAlong(edges, other)];
  const [stride, placeOf] = [strideOf(grid, axis), placeAlong(facts)];
  const first = [...ordinals.keys()].filter((slot) => placeOf(ordinals[slot] as number) === from);
  return first.some((slot) => {
    const there = slotOf(facts, (ordinals[slot] as number) + (to - from) * stride);
    const isSame = SAME.every((name) => columns[name][slot] === columns[name][there]);
    return there >= 0 && isSame && (columns.spread[slot] as number) > 0;
  });
}

/** Measures that are equal in two chunks with the same data. */
const SAME = ["mean", "spread", "minimum", "maximum", "missing"] as const;
