/**
 * The keys of each GRIB message that is referenced against the coordinates at its chunk's place (FM 92, sections 1 and 4,
 * as `formats/grib` reads them): step, times, member, level; the axes of its grid against latitude and longitude.
 */
import { unitNamed } from "#core/cf/quantity.ts";
import { coordinatesOf, gridOf, startAlong } from "#core/metadata/chunk-grid.ts";
import { chunkAt, finding } from "#core/findings/finding.ts";
import { float64Of } from "#core/values/values.ts";
import type { ArrayNode } from "#core/metadata/array-metadata.ts";
import { textAttribute } from "#core/metadata/attribute.ts";
import type { SourceArray } from "#core/source-file.ts";
import { roleOf } from "#engine/many/axis.ts";
import type { HeldFile, HeldRow } from "#engine/check/held/held-files.ts";
import { shower } from "../show.ts";
import { secondsIn, secondsOf, timeOf, unitOf } from "../units.ts";
import type { WitnessView } from "../view.ts";
import { evenStep, isStep } from "./times.ts";

/** Keys of a message, each in one unit: seconds, members, the level's own unit, the parameter's name. */
interface MessageKeys {
  readonly parameter: string;
  readonly levelType: string;
  readonly step?: number | undefined;
  readonly time?: number | undefined;
  readonly valid?: number | undefined;
  readonly number?: number | undefined;
  readonly level?: number | undefined;
  readonly latitude?: Float64Array | undefined;
  readonly longitude?: Float64Array | undefined;
}

type Key = "step" | "time" | "valid" | "number" | "level";

const MAX_MESSAGES = 200_000;

export async function gribWitness(view: WitnessView): Promise<void> {
  const files = (view.request.held ?? []).filter(({ file }) => file.isArranged);
  const byArray = new Map<string, { readonly row: HeldRow; readonly keys: MessageKeys }[]>();
  let room = MAX_MESSAGES;
  for (const held of files) {
    const keys = messageKeys(held);
    for (const [id, rows] of held.rows) {
      const { path = "" } = view.set.table.arrays[id] ?? {};
      const list = byArray.get(path) ?? [];
      byArray.set(path, list);
      for (const row of rows.slice(0, Math.max(0, room))) {
        const found = keys.get(row.offset);
        if (found !== undefined) list.push({ row, keys: found });
      }
      room -= rows.length;
    }
  }
  const said = new Map<ArrayNode, Said[]>();
  for (const [path, messages] of byArray) {
    const node = view.set.hierarchy.nodes.get(path);
    if (node?.kind !== "array" || messages.length === 0) continue;
    if (isMixed(view, node, messages)) continue;
    for (const one of await saidOf(view, node, messages))
      said.set(one.coordinate, [...(said.get(one.coordinate) ?? []), one]);
  }
  const areAlike = [...said].some(([, all]) => all.some((one) => ofTime.has(one.key) && saysNothing(one)));
  for (const [coordinate, all] of said)
    if (!areAlike || all.every(({ key }) => !ofTime.has(key))) await holdKeys(view, coordinate, all);
}

interface Message {
  readonly row: HeldRow;
  readonly keys: MessageKeys;
}

/** Keys of the messages of one array along one coordinate. */
interface Said {
  readonly coordinate: ArrayNode;
  readonly key: Key;
  readonly node: ArrayNode;
  readonly messages: readonly Message[];
  /** Position of each message along the coordinate. */
  readonly at: readonly number[];
}

const ofTime: ReadonlySet<Key> = new Set<Key>(["step", "time", "valid"]);

/** Messages of several steps whose keys are all one: their writer has not filled them in. */
function saysNothing({ key, messages, at }: Said): boolean {
  const keys = new Set(messages.map((message) => message.keys[key]));
  return keys.size === 1 && new Set(at).size > 1;
}

/** Keys by offset: the file's own arrays have a coordinate for each. */
function messageKeys({ file }: HeldFile): ReadonlyMap<number, MessageKeys> {
  const byPath = new Map(file.arrays.map((array) => [array.path, array]));
  const keys = new Map<number, MessageKeys>();
  for (const array of file.arrays) {
    const levelType = textOf(array, "GRIB_typeOfLevel");
    if (levelType === undefined) continue;
    const beside = (textOf(array, "coordinates") ?? "").split(" ").flatMap((name) => byPath.get(name) ?? []);
    const named = (standard: string) => valuesOf(beside.find((one) => textOf(one, "standard_name") === standard));
    const level = valuesOf(beside.find((one) => one.path === levelType || one.path.startsWith(`${levelType}_`)));
    const columns = {
      step: named("forecast_period"),
      time: named("forecast_reference_time"),
      valid: named("time"),
      number: named("realization"),
      level,
    };
    const [latitude, longitude] = [named("latitude"), named("longitude")];
    const { references } = array;
    for (let at = 0; at < references.count; at += 1) {
      const ordinal = references.ordinal[at] as number;
      const of = (column: Float64Array | undefined) => column?.[ordinal];
      keys.set(references.offset[at] as number, {
        parameter: array.path,
        levelType,
        step: scaled(of(columns.step), 3600),
        time: of(columns.time),
        valid: of(columns.valid),
        number: of(columns.number),
        level: of(columns.level),
        latitude,
        longitude,
      });
    }
  }
  return keys;
}

const scaled = (value: number | undefined, by: number) => (value === undefined ? undefined : value * by);

function textOf({ attributes }: SourceArray, name: string): string | undefined {
  const text = attributes.get(name);
  return text?.startsWith('"') ? (JSON.parse(text) as string) : undefined;
}

/** Inline values of one array of the file's index. */
function valuesOf(array: SourceArray | undefined): Float64Array | undefined {
  const bytes = array?.inline.get(0);
  if (array === undefined || bytes === undefined || bytes.length % 8 > 0) return undefined;
  const { buffer } = bytes.slice();
  return float64Of(array.dtype.includes("i8") ? new BigInt64Array(buffer) : new Float64Array(buffer));
}

/** Most messages of an array are of one parameter and one type of level: the others belong elsewhere. */
function isMixed(view: WitnessView, node: ArrayNode, messages: readonly Message[]): boolean {
  const counts = new Map<string, Message[]>();
  for (const message of messages) {
    const { parameter } = message.keys;
    counts.set(parameter, [...(counts.get(parameter) ?? []), message]);
  }
  const [most, ...others] = [...counts].toSorted(([, one], [, other]) => other.length - one.length);
  const odd = others.flatMap(([, list]) => list);
  const [first] = odd;
  if (most === undefined || first === undefined || odd.length * 4 > messages.length) return false;
  const grid = gridOf(node.metadata.shape, node.metadata.chunks);
  const places = odd.slice(0, 100).map(({ row }) => chunkAt(node.path, coordinatesOf(grid, row.ordinal)));
  const facts = {
    array: node.path,
    key: "parameter",
    says: first.keys.parameter,
    meant: most[0],
    messages: odd.length,
    of: messages.length,
    exchanged: undefined,
  };
  const found = finding("message-elsewhere", places[0] ?? view.placeOf(node), facts, odd.length);
  view.tell({ ...found, places }, node.path);
  return true;
}

async function saidOf(view: WitnessView, node: ArrayNode, messages: readonly Message[]): Promise<readonly Said[]> {
  const { shape, chunks, dimensionNames = [] } = node.metadata;
  const grid = gridOf(shape, chunks);
  const found: Said[] = [];
  const scalars = (textAttribute(node.attributes, "coordinates") ?? "").split(/\s+/);
  for (const name of new Set([...dimensionNames, ...scalars])) {
    const coordinate = name === undefined || name === "" ? undefined : view.near(node, name);
    const key = coordinate === undefined ? undefined : keyOf(coordinate, messages);
    if (coordinate === undefined || key === undefined || coordinate.metadata.shape.length > 1) continue;
    const axis = dimensionNames.indexOf(coordinate.metadata.dimensionNames?.[0]);
    if (coordinate.metadata.shape.length === 1 && axis < 0) continue;
    const along = axis < 0 ? 1 : (chunks[axis] ?? 1);
    const at = messages.map(({ row }) =>
      axis < 0 ? 0 : startAlong(along, coordinatesOf(grid, row.ordinal)[axis] ?? 0),
    );
    // A message is one step: chunks of several steps hold none.
    if (axis >= 0 && (shape[axis] ?? 1) > 1 && startAlong(along, 1) !== 1) continue;
    found.push({ coordinate, key, node, messages, at });
  }
  await holdGrid(view, node, messages);
  return found;
}

const NUMBER = /^(?:number|member|realization|ensemble(?:_member)?)$/i;

function keyOf(coordinate: ArrayNode, messages: readonly Message[]): Key | undefined {
  const standard = textAttribute(coordinate.attributes, "standard_name");
  if (isStep(coordinate)) return "step";
  if (timeOf(coordinate) !== undefined) {
    if (standard === "forecast_reference_time" || /reference|init/i.test(coordinate.name)) return "time";
    return coordinate.name === "valid_time" || standard === "time" || coordinate.name === "time" ? "valid" : undefined;
  }
  if (standard === "realization" || NUMBER.test(coordinate.name)) return "number";
  const [first] = messages;
  return first !== undefined && coordinate.name === first.keys.levelType ? "level" : undefined;
}

async function holdKeys(view: WitnessView, coordinate: ArrayNode, said: readonly Said[]): Promise<void> {
  const values = await view.numbers(coordinate);
  const time = timeOf(coordinate);
  const [first] = said;
  if (values === undefined || first === undefined || view.isTold(coordinate.path)) return;
  const [zero, one] = secondsScale(coordinate, first.key);
  const own = values.map((value) => value * (one - zero) + zero);
  const isTime = time !== undefined || first.key === "step";
  const tolerance = isTime ? 1 : 1e-6;
  const all = said.flatMap((one) => one.messages.map((message, index) => ({ message, one, at: one.at[index] ?? 0 })));
  const keyFor = (message: Message, at: number): number => {
    const { keys } = message;
    // "time" is the reference in some sets, what is valid in others.
    const isReference = first.key === "valid" && Math.abs((keys.time ?? NaN) - (own[at] as number)) <= tolerance;
    return (isReference ? keys.time : keys[first.key]) ?? NaN;
  };
  const isOff = ({ message, at }: (typeof all)[number]) =>
    Math.abs(keyFor(message, at) - (own[at] as number)) > tolerance;
  const numbers = new Float64Array(own.length).fill(NaN);
  const conflicts = new Set<number>();
  for (const { message, at } of all) {
    const key = keyFor(message, at);
    if (Number.isNaN(key) || at >= numbers.length) continue;
    if (!Number.isNaN(numbers[at]) && Math.abs((numbers[at] as number) - key) > tolerance) conflicts.add(at);
    else numbers[at] = key;
  }
  if (numbers.every(Number.isNaN)) return;
  const off = all.filter(isOff);
  if (conflicts.size > 0 && off.length > 0)
    return tellChunks(view, coordinate, { key: first.key, off, keyFor, own, of: all.length });
  if (conflicts.size > 0) return;
  const exchanged = off.length === 2 && isExchange(off, own, keyFor, tolerance);
  // The chunks were exchanged, if other statements agree with the coordinate.
  if (exchanged && (view.isConfirmed(coordinate) || isSorted(own)))
    return tellChunks(view, coordinate, { key: first.key, off, keyFor, own, of: all.length });
  const theirs = {
    numbers: numbers.map((key) => (key - zero) / (one - zero)),
    source: { kind: "messages", name: first.node.name },
  } as const;
  view.state(coordinate, values, [theirs], {
    tolerance: tolerance / (one - zero),
    cell: evenStep(values),
    seconds: isTime ? one - zero : undefined,
  });
}

/** Zero and one of the coordinate in seconds, or in hPa; of what else is no time, as they are. */
function secondsScale(coordinate: ArrayNode, key: Key): readonly [zero: number, one: number] {
  const time = timeOf(coordinate);
  const [zero = 0, one = 1] =
    time === undefined
      ? [0, key === "step" ? (secondsIn(unitOf(coordinate)) ?? NaN) : key === "level" ? levelUnit(coordinate) : 1]
      : secondsOf([0, 1], time);
  return [zero, one];
}

/** Messages have pressure in the unit that is in the name of the type of level. */
function levelUnit({ name, attributes }: ArrayNode): number {
  const unit = unitNamed(textAttribute(attributes, "units") ?? "");
  const inMessages = name.endsWith("InPa") ? 1 : name.endsWith("InhPa") ? 100 : undefined;
  return unit?.dimension === "pressure" && inMessages !== undefined ? unit.factor / inMessages : 1;
}

const isSorted = (values: Float64Array): boolean =>
  values.length > 2 &&
  [1, -1].some((sign) => values.every((value, at) => at === 0 || sign * (value - (values[at - 1] as number)) > 0));

type Off = { readonly message: Message; readonly one: Said; readonly at: number };
type KeyFor = (message: Message, at: number) => number;

function isExchange([a, b]: readonly Off[], own: Float64Array, keyFor: KeyFor, tolerance: number): boolean {
  if (a === undefined || b === undefined) return false;
  const isOther = (one: Off, other: Off) =>
    Math.abs(keyFor(one.message, one.at) - (own[other.at] as number)) <= tolerance;
  return isOther(a, b) && isOther(b, a);
}

interface OffChunks {
  readonly key: Key;
  readonly off: readonly Off[];
  readonly keyFor: KeyFor;
  readonly own: Float64Array;
  readonly of: number;
}

/** Some chunks alone have messages of another place. */
function tellChunks(view: WitnessView, coordinate: ArrayNode, { key, off, keyFor, own, of }: OffChunks): void {
  const [first] = off;
  if (first === undefined) return;
  const { node } = first.one;
  const mine = off.filter(({ one }) => one.node === node);
  const grid = gridOf(node.metadata.shape, node.metadata.chunks);
  const places = mine.slice(0, 100).map(({ message }) => chunkAt(node.path, coordinatesOf(grid, message.row.ordinal)));
  const text = (value: number) => keyText(coordinate, key, value);
  const facts = {
    array: node.path,
    key: coordinate.name,
    says: text(keyFor(first.message, first.at)),
    meant: text(own[first.at] ?? NaN),
    messages: mine.length,
    of,
    exchanged: mine.length === 2 ? places.map(({ coordinates }) => coordinates.join(".")) : undefined,
  };
  const found = finding("message-elsewhere", places[0] ?? view.placeOf(node), facts, mine.length);
  view.tell({ ...found, places }, node.path, coordinate.path);
}

function keyText(coordinate: ArrayNode, key: Key, value: number): string {
  const [zero, one] = secondsScale(coordinate, key);
  const { show, unit } = shower(coordinate);
  return `${show((value - zero) / (one - zero), 0)}${unit === undefined ? "" : ` ${unit}`}`;
}

/** Latitudes and longitudes of the messages' own grid, if it has one of each a row and a column. */
async function holdGrid(view: WitnessView, node: ArrayNode, [first]: readonly Message[]): Promise<void> {
  for (const name of node.metadata.dimensionNames ?? []) {
    const coordinate = name === undefined ? undefined : view.near(node, name);
    const role = coordinate === undefined ? "other" : roleOf(coordinate);
    if (coordinate === undefined || (role !== "latitude" && role !== "longitude") || view.isTold(coordinate.path))
      continue;
    if (
      view.compared.some(
        ({ subject, sources }) => subject === coordinate.path && sources.some(({ kind }) => kind === "messages"),
      )
    )
      continue;
    const [numbers, values] = [first?.keys[role], await view.numbers(coordinate)];
    if (numbers === undefined || values === undefined || numbers.length !== values.length) continue;
    const cell = values.length < 2 ? 1 : Math.abs((values[1] ?? 0) - (values[0] ?? 0));
    const source = { kind: "messages", name: node.name } as const;
    view.state(coordinate, values, [{ numbers, source }], {
      tolerance: cell * 0.01,
      cell,
      wraps: role === "longitude",
    });
  }
}
