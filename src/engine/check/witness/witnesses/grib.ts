/**
 * The keys of each GRIB message that is referenced against the coordinates at its chunk's place (FM 92, sections 1 and 4,
 * as `formats/grib` reads them): step, times, member, level; the axes of its grid against latitude and longitude.
 */
import { groupedBy } from "#core/basics.ts";
import { unitNamed } from "#core/cf/quantity.ts";
import { coordinatesOf, gridOf, startAlong } from "#core/metadata/chunk-grid.ts";
import { chunkAt, finding } from "#core/findings/finding.ts";
import { float64Of } from "#core/values/values.ts";
import type { ArrayNode } from "#core/metadata/array-metadata.ts";
import { attribute, textAttribute } from "#core/metadata/attribute.ts";
import type { SourceArray } from "#core/source-file.ts";
import { roleOf } from "#engine/many/axis.ts";
import type { HeldFile, HeldRow } from "#engine/check/held/held-files.ts";
import { shower } from "../show.ts";
import { countsOf, type Scale, scaleOf, secondsIn, timeOf, unitOf } from "../units.ts";
import { side, type WitnessView } from "../view.ts";
import { evenStep } from "../change.ts";
import { isStep } from "./times.ts";

/** Keys of a message, each in one unit: seconds, members, the level's own unit, the parameter's name. */
interface MessageKeys {
  readonly parameter: string;
  readonly units?: string | undefined;
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
/** Arrays whose messages' grid is held against one coordinate: hundreds may share it. */
const MAX_GRIDS = 8;

export async function gribWitness(view: WitnessView): Promise<void> {
  const files = (view.request.held ?? []).filter(({ file }) => file.isArranged);
  const byArray = new Map<string, Message[]>();
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
  const found: Said[] = [];
  const grids = new Map<string, number>();
  for (const [path, messages] of byArray) {
    const node = view.set.hierarchy.nodes.get(path);
    if (node?.kind !== "array" || messages.length === 0 || isMixed(view, node, messages)) continue;
    await holdParameter(view, node, messages);
    found.push(...saidOf(view, node, messages));
    await holdGrid(view, node, messages, grids);
  }
  const areAlike = found.some((one) => ofTime.has(one.key) && saysNothing(one));
  for (const [coordinate, all] of groupedBy(found, (one) => one.coordinate))
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
    const [step, time, valid] = ["forecast_period", "forecast_reference_time", "time"].map(named);
    const [number, latitude, longitude] = ["realization", "latitude", "longitude"].map(named);
    const [{ references }, seconds] = [array, step?.map((hours) => hours * 3600)];
    for (let at = 0; at < references.count; at += 1) {
      const ordinal = references.ordinal[at] as number;
      const ofTimes = { step: seconds?.[ordinal], time: time?.[ordinal], valid: valid?.[ordinal] };
      const others = { number: number?.[ordinal], level: level?.[ordinal], latitude, longitude };
      const named = { parameter: array.path, units: textOf(array, "units"), levelType };
      keys.set(references.offset[at] as number, { ...named, ...ofTimes, ...others });
    }
  }
  return keys;
}

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
  const byParameter = groupedBy(messages, ({ keys }) => keys.parameter);
  const [most, ...others] = [...byParameter].toSorted(([, one], [, other]) => other.length - one.length);
  const odd = others.flatMap(([, list]) => list);
  const [first] = odd;
  if (most === undefined || first === undefined || odd.length * 4 > messages.length) return false;
  const facts = { key: "parameter", says: first.keys.parameter, meant: most[0], of: messages.length };
  tellElsewhere(view, node, odd, facts);
  return true;
}

/** The parameter and its units by the array's attributes, as eccodes has them, against those of all its messages. */
async function holdParameter(view: WitnessView, node: ArrayNode, [first, ...more]: readonly Message[]): Promise<void> {
  const { parameter, units = "" } = first?.keys ?? { parameter: "" };
  if (more.some(({ keys }) => keys.parameter !== parameter)) return;
  const id = attribute(node.attributes, "GRIB_paramId");
  const { ecmwfName, hasEcmwfNumber } = await import("#formats/grib/index.ts");
  const name = ecmwfName(Number(id));
  const messages = (value: string) => side("messages", node.name, value);
  const isKnown = name !== undefined && hasEcmwfNumber(parameter.replace(/_.*$/, ""));
  if (isKnown && parameter !== name && !parameter.startsWith(`${name}_`)) {
    const a = side("attribute", "GRIB_paramId", `${Number(id)} (${name})`);
    view.disagree(node, { quantity: "units", a, b: messages(parameter) });
  }
  const own = textAttribute(node.attributes, "units") ?? "";
  const [said, meant] = [unitNamed(own), unitNamed(units)];
  if (said === undefined || meant === undefined || view.isTold(node.path)) return;
  const isSame = said.dimension === meant.dimension && said.factor === meant.factor && said.offset === meant.offset;
  if (!isSame) view.disagree(node, { quantity: "units", a: side("attribute", "units", own), b: messages(units) });
}

interface Elsewhere {
  readonly key: string;
  readonly says: string;
  readonly meant: string;
  readonly of: number;
  readonly isExchange?: boolean;
}

function tellElsewhere(
  view: WitnessView,
  node: ArrayNode,
  odd: readonly Message[],
  { isExchange = false, ...about }: Elsewhere,
  ...also: readonly string[]
): void {
  const grid = gridOf(node.metadata.shape, node.metadata.chunks);
  const places = odd.slice(0, 100).map(({ row }) => chunkAt(node.path, coordinatesOf(grid, row.ordinal)));
  const exchanged = isExchange ? places.map(({ coordinates }) => coordinates.join(".")) : undefined;
  const facts = { array: node.path, ...about, messages: odd.length, exchanged };
  const found = finding("message-elsewhere", places[0] ?? view.placeOf(node), facts, odd.length);
  view.tell({ ...found, places }, node.path, ...also);
}

function saidOf(view: WitnessView, node: ArrayNode, messages: readonly Message[]): readonly Said[] {
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
  const [first] = said;
  if (values === undefined || first === undefined || view.isTold(coordinate.path)) return;
  const { key } = first;
  const scale = scaleAlong(coordinate, key);
  const own = values.map((value) => value * scale.unit + scale.zero);
  const isTime = timeOf(coordinate) !== undefined || key === "step";
  const tolerance = isTime ? 1 : 1e-6;
  const isLike = (one: number, other: number) => Math.abs(one - other) <= tolerance;
  const all = said.flatMap((one) =>
    one.messages.map(({ row, keys }, index) => {
      const at = one.at[index] ?? 0;
      const meant = own[at] ?? NaN;
      // "time" is the reference in some sets, what is valid in others.
      const isReference = key === "valid" && isLike(keys.time ?? NaN, meant);
      return { row, keys, node: one.node, at, meant, says: (isReference ? keys.time : keys[key]) ?? NaN };
    }),
  );
  const numbers = new Float64Array(own.length).fill(NaN);
  let isTorn = false;
  for (const { says, at } of all) {
    if (Number.isNaN(says) || at >= numbers.length) continue;
    if (Math.abs((numbers[at] as number) - says) > tolerance) isTorn = true;
    else numbers[at] = says;
  }
  if (numbers.every(Number.isNaN)) return;
  const off = all.filter(({ says, meant }) => Math.abs(says - meant) > tolerance);
  const [one, other] = off;
  if (one === undefined && isTorn) return;
  const isExchange =
    off.length === 2 &&
    one !== undefined &&
    isLike(one.says, other?.meant ?? NaN) &&
    isLike(other?.says ?? NaN, one.meant);
  // Some chunks alone have messages of another place: so it is, too, if other statements agree with the coordinate.
  if (one !== undefined && (isTorn || (isExchange && (view.isConfirmed(coordinate) || isSorted(own))))) {
    const { show, unit = "" } = shower(coordinate);
    const text = (value: number) => `${show(countsOf(Float64Array.of(value), scale)[0] ?? NaN, 0)} ${unit}`.trim();
    const mine = off.filter(({ node }) => node === one.node);
    const about = { key: coordinate.name, says: text(one.says), meant: text(one.meant), of: all.length };
    return tellElsewhere(view, one.node, mine, { ...about, isExchange: mine.length === 2 }, coordinate.path);
  }
  const theirs = { numbers: countsOf(numbers, scale), source: { kind: "messages", name: first.node.name } } as const;
  const seconds = isTime ? scale.unit : undefined;
  view.state(coordinate, values, [theirs], { tolerance: tolerance / scale.unit, cell: evenStep(values), seconds });
}

/** The coordinate in seconds, or in the unit of pressure that messages have; of what else is no time, as it is. */
function scaleAlong(coordinate: ArrayNode, key: Key): Scale {
  const time = timeOf(coordinate);
  if (time !== undefined) return scaleOf(time);
  const unit = key === "step" ? (secondsIn(unitOf(coordinate)) ?? NaN) : key === "level" ? levelUnit(coordinate) : 1;
  return { zero: 0, unit };
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

/** Latitudes and longitudes of the messages' own grid, if it has one of each a row and a column. */
async function holdGrid(
  view: WitnessView,
  node: ArrayNode,
  [first]: readonly Message[],
  grids: Map<string, number>,
): Promise<void> {
  for (const name of node.metadata.dimensionNames ?? []) {
    const coordinate = name === undefined ? undefined : view.near(node, name);
    const role = coordinate === undefined ? "other" : roleOf(coordinate);
    if (coordinate === undefined || (role !== "latitude" && role !== "longitude") || view.isTold(coordinate.path))
      continue;
    const [numbers, values] = [first?.keys[role], await view.numbers(coordinate)];
    const held = grids.get(coordinate.path) ?? 0;
    if (numbers === undefined || values === undefined || numbers.length !== values.length || held >= MAX_GRIDS)
      continue;
    grids.set(coordinate.path, held + 1);
    const cell = values.length < 2 ? 1 : Math.abs((values[1] ?? 0) - (values[0] ?? 0));
    const source = { kind: "messages", name: node.name } as const;
    const options = { tolerance: cell * 0.01, cell, wraps: role === "longitude" };
    view.state(coordinate, values, [{ numbers, source }], options);
  }
}
