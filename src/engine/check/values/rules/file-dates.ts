/**
 * Files whose names say another date than the coordinate gives their data: another file's time was kept, or its
 * origin.
 */
import { isoDate, timeNanoseconds, type TimeView } from "#core/cf/cf-time.ts";
import { startAlong } from "#core/metadata/chunk-grid.ts";
import { coordinateArray } from "#engine/many/axis.ts";
import { DAY, spansInName, type Span } from "#engine/check/steps/file-numbers.ts";
import { scalingOfNode } from "../note-chunk.ts";
import { NO_FILE, type ArrayFacts } from "../value-facts.ts";
import { coordinatesAt, explainSlots, factsByNode, isOpen, ofChunks, slotsOfFile } from "../value-rule.ts";
import type { ValueRule, ValuesView } from "../value-rule.ts";

/** With more files, names are not compared. */
const MAX_FILES = 20_000;
/** Steps may stand at either end of what they are of, and forecasts begin when their file says. */
const [NEAR, FAR] = [2 * DAY, 45 * DAY];
/** Farther apart, a date is more likely that of the file's making. */
const MOST_APART = 20 * 366 * DAY;
/** Share of the files that agree, where the others are the exception. */
const MAX_SHARE = 0.6;

export interface DatedFile {
  readonly file: number;
  readonly name: string;
  readonly spans: readonly Span[];
  /** Dates of its steps by the coordinate: milliseconds, the last included. */
  from: number;
  to: number;
}

export const fileDates: ValueRule = {
  id: "file-dates",
  codes: ["file-date-differs"],
  ofArray(facts, sink, view) {
    const times = facts.whole === undefined ? timesAlong(view, facts) : undefined;
    if (times === undefined) return;
    const files = datedFiles(facts, times);
    const meant = differing(view, files);
    const [first] = meant;
    if (first === undefined) return;
    const slots = meant.flatMap(({ file }) => slotsOfFile(facts, file));
    explainSlots(facts, slots);
    const about = {
      file: first.name,
      named: first.spans[0]?.text ?? "",
      from: dayText(first.from),
      to: dayText(first.to),
      array: facts.node.path,
      coordinate: times.path,
      differ: meant.length,
      files: files.length,
      unused: unusedFile(view, files, first),
    };
    sink(ofChunks("file-date-differs", facts, slots, about, first.name));
  },
};

export const dayText = (time: number): string => isoDate(BigInt(Math.round(time)) * 1_000_000n).slice(0, 10);

export interface Times {
  readonly path: string;
  readonly axis: number;
  readonly values: Float64Array;
  readonly view: TimeView;
}

/** The dimension that is a time, if its coordinate was read whole. */
export function timesAlong({ set, facts: all }: ValuesView, { node }: ArrayFacts): Times | undefined {
  for (const axis of node.metadata.shape.keys()) {
    const coordinate = coordinateArray(set, node, axis);
    const known = coordinate === undefined ? undefined : factsByNode(all).get(coordinate);
    const time = known === undefined ? undefined : scalingOfNode(known.node)?.time;
    if (known?.whole === undefined || time === undefined) continue;
    return { path: known.node.path, axis, values: known.whole, view: time };
  }
  return undefined;
}

/** Files of chunks of which no cause is known, and the dates that the coordinate gives them. */
export function datedFiles(facts: ArrayFacts, { axis, values, view: time }: Times): readonly DatedFile[] {
  const files = new Map<number, DatedFile>();
  const edges = facts.node.metadata.chunks[axis] ?? 1;
  for (const [slot, file] of facts.files.entries()) {
    if (file === NO_FILE || !isOpen(facts, slot)) continue;
    if (!files.has(file) && files.size >= MAX_FILES) return [];
    const name = facts.targets.text(file);
    const own = files.get(file) ?? { file, name, spans: spansInName(name), from: Infinity, to: -Infinity };
    files.set(file, own);
    const chunk = coordinatesAt(facts, slot)[axis] ?? 0;
    const [first, end] = [startAlong(edges, chunk), Math.min(values.length, startAlong(edges, chunk + 1))];
    for (const at of [first, end - 1]) {
      const date = timeNanoseconds(values[at] ?? NaN, time);
      if (date === undefined) continue;
      const milliseconds = Number(date / 1_000_000n);
      own.from = Math.min(own.from, milliseconds);
      own.to = Math.max(own.to, milliseconds);
    }
  }
  return [...files.values()].filter(({ from, spans }) => from !== Infinity && spans.length > 0);
}

/** From the dates of a file's steps to the nearest that its name says. */
const gapOf = ({ spans, from, to }: DatedFile): number =>
  Math.min(...spans.map((span) => Math.max(span.from - to, from - span.to, 0)));

/** All of them, or a few among many that agree. */
function differing(view: ValuesView, files: readonly DatedFile[]): readonly DatedFile[] {
  const agreeing = files.filter((file) => gapOf(file) <= NEAR + unitOf(file));
  if (agreeing.length >= 2 && agreeing.length >= files.length * MAX_SHARE)
    return files.filter((file) => gapOf(file) > NEAR + 2 * unitOf(file));
  const isClear = files.every((file) => gapOf(file) > FAR && gapOf(file) < MOST_APART && !mayBeOfMaking(file));
  const [first] = files;
  if (first === undefined || !isClear) return [];
  const isOfDates = differAmongThemselves(files) || files.every(saysMonth);
  return isOfDates || unusedFile(view, files, first) !== undefined ? files : [];
}

/** A name that says a year alone may be off by as much at its ends, not by another year. */
const unitOf = ({ spans }: DatedFile): number => Math.min(31 * DAY, ...spans.map(({ unit }) => unit));

/** A year alone, the same in all names, may be that of a product. */
const saysMonth = ({ spans }: DatedFile): boolean => spans.every(({ unit }) => unit <= 31 * DAY);

/** “v2019”, “c20210304”: of a version, or of its making. */
const mayBeOfMaking = ({ name, spans }: DatedFile): boolean =>
  spans.some(({ text }) => /[vcpr]/i.test(name.charAt(name.lastIndexOf(text) - 1)));

const differAmongThemselves = (files: readonly DatedFile[]): boolean =>
  new Set(files.map(({ spans }) => spans[0]?.text)).size > 1;

/** A file named alike and for the date, which gives the array nothing. */
function unusedFile(
  { set }: ValuesView,
  files: readonly DatedFile[],
  { name, from, to }: DatedFile,
): string | undefined {
  const used = new Set(files.map((file) => file.name));
  const family = (text: string) => text.replace(/\d+/g, "#");
  const count = Math.min(set.table.targets.count, MAX_FILES);
  for (let id = 0; id < count; id += 1) {
    const other = set.table.targets.text(id);
    if (used.has(other) || family(other) !== family(name)) continue;
    if (spansInName(other).some((span) => span.from <= to + DAY && span.to >= from - DAY)) return other;
  }
  return undefined;
}
