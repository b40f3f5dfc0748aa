/**
 * Levels from a group's attributes: the convention `multiscales` (zarr-conventions/multiscales v1, §Configuration) and
 * OME-NGFF 0.4 and 0.5 (§"multiscales" metadata). What cannot be understood is a finding, and left out.
 */
import { type FactsOf, finding, type Finding, nodeAt } from "../findings/finding.ts";
import { describeJson, isJsonObject, type JsonObject, type JsonValue } from "../json/json.ts";
import type { Level, LevelAxis, LevelSet } from "./levels.ts";

export interface LevelsRead {
  readonly sets: readonly LevelSet[];
  readonly findings: readonly Finding[];
}

/** Sets of levels of one group, and levels of one set, that are read. */
const MAX_SETS = 100;
const MAX_LEVELS = 256;

const NONE: LevelsRead = { sets: [], findings: [] };

export function levelsOf(group: string, attributes: JsonValue | undefined): LevelsRead {
  if (!isJsonObject(attributes)) return NONE;
  const findings: Finding[] = [];
  const sink: Sink = {
    group,
    malformed: (facts) => void findings.push(finding("levels-malformed", nodeAt(group), facts)),
  };
  const sets = [...omeSets(attributes, sink), ...layouts(attributes.get("multiscales"), sink)];
  return { sets, findings };
}

interface Sink {
  readonly group: string;
  malformed(facts: FactsOf<"levels-malformed">): void;
}

/** Path of a member as one would write it: `ome.multiscales[0].datasets`. */
type Member = string;

function layouts(value: JsonValue | undefined, sink: Sink): readonly LevelSet[] {
  if (!isJsonObject(value)) return [];
  const layout = value.get("layout");
  // Older drafts of GeoZarr have an object of matrix sets here.
  if (!Array.isArray(layout)) return [];
  const levels: Level[] = [];
  for (const [at, one] of objectsIn(layout, "multiscales.layout", sink)) {
    const level = layoutLevel(one, `multiscales.layout[${at}]`, levels, sink);
    if (level !== undefined) levels.push(level);
  }
  const resampling = optionalText(value.get("resampling_method"));
  return [{ convention: "multiscales", axes: [], ...given({ resampling }), levels }];
}

function layoutLevel(one: JsonObject, member: Member, before: readonly Level[], sink: Sink): Level | undefined {
  const path = pathOf(one.get("asset"), `${member}.asset`, sink);
  if (path === undefined) return undefined;
  const from = one.get("derived_from");
  const source = from === undefined ? undefined : pathOf(from, `${member}.derived_from`, sink);
  const transform = one.get("transform");
  const scale = isJsonObject(transform)
    ? positive(transform.get("scale"), `${member}.transform.scale`, sink)
    : undefined;
  const above = before.find((level) => level.path === source)?.factors;
  const factors = scale === undefined || source === undefined || above === undefined ? scale : product(above, scale);
  return { path, ...given({ source, factors, pixel: pixelOf(one.get("spatial:transform")) }) };
}

function omeSets(attributes: JsonObject, sink: Sink): readonly LevelSet[] {
  const ome = attributes.get("ome");
  const isNested = isJsonObject(ome) && ome.has("multiscales");
  const list = isNested ? ome.get("multiscales") : attributes.get("multiscales");
  const member = isNested ? "ome.multiscales" : "multiscales";
  if (!Array.isArray(list)) {
    if (isNested) sink.malformed({ member, expected: "a list", found: describeJson(list) });
    return [];
  }
  const version = isNested ? optionalText(ome.get("version")) : undefined;
  return [...objectsIn(list.slice(0, MAX_SETS), member, sink)].flatMap(([at, one]) => {
    const set = omeSet(one, `${member}[${at}]`, version, sink);
    return set === undefined ? [] : [set];
  });
}

function omeSet(one: JsonObject, member: Member, outer: string | undefined, sink: Sink): LevelSet | undefined {
  const datasets = one.get("datasets");
  if (!Array.isArray(datasets)) {
    sink.malformed({ member: `${member}.datasets`, expected: "a list", found: describeJson(datasets) });
    return undefined;
  }
  const version = outer ?? optionalText(one.get("version"));
  const axes = axesOf(one, member, sink);
  const whole = scaleIn(one.get("coordinateTransformations"), member, sink);
  const read: Level[] = [];
  for (const [at, dataset] of objectsIn(datasets, `${member}.datasets`, sink)) {
    const inside = `${member}.datasets[${at}]`;
    const path = pathOf(dataset.get("path"), `${inside}.path`, sink);
    const own = scaleIn(dataset.get("coordinateTransformations"), inside, sink);
    const scale = own === undefined || whole === undefined ? own : product(own, whole);
    if (path !== undefined) read.push({ path, ...given({ scale }) });
  }
  const finest = read[0]?.scale;
  const levels = read.map((level): Level => {
    const factors = level.scale === undefined || finest === undefined ? undefined : quotient(level.scale, finest);
    return { ...level, ...given({ factors }) };
  });
  const [name, resampling] = [optionalText(one.get("name")), optionalText(one.get("type"))];
  return { convention: "ome", ...given({ version, name, resampling }), axes, levels };
}

/** 0.4 and 0.5: a list of objects; 0.6 has it in coordinate systems, of which the first is taken. */
function axesOf(one: JsonObject, member: Member, sink: Sink): readonly LevelAxis[] {
  const systems = one.get("coordinateSystems");
  const [first] = Array.isArray(systems) ? systems : [];
  const axes = isJsonObject(first) ? first.get("axes") : one.get("axes");
  // Before 0.3 there were none, and other tools have none.
  if (axes === undefined) return [];
  if (!Array.isArray(axes)) {
    sink.malformed({ member: `${member}.axes`, expected: "a list", found: describeJson(axes) });
    return [];
  }
  return axes.slice(0, MAX_LEVELS).map((axis): LevelAxis => {
    if (!isJsonObject(axis)) return { name: optionalText(axis) ?? "" };
    const [type, unit] = [optionalText(axis.get("type")), optionalText(axis.get("unit"))];
    return { name: optionalText(axis.get("name")) ?? "", ...given({ type, unit }) };
  });
}

/** The product of the scales in a list of transformations; those of other types are left out. */
function scaleIn(value: JsonValue | undefined, member: Member, sink: Sink): readonly number[] | undefined {
  let scale: readonly number[] | undefined;
  for (const one of Array.isArray(value) ? value.slice(0, MAX_LEVELS) : []) {
    if (!isJsonObject(one) || one.get("type") !== "scale") continue;
    const numbers = positive(one.get("scale"), `${member}.coordinateTransformations`, sink);
    if (numbers !== undefined) scale = scale === undefined ? numbers : product(scale, numbers);
  }
  return scale;
}

function* objectsIn(list: readonly JsonValue[], member: Member, sink: Sink): Generator<readonly [number, JsonObject]> {
  if (list.length > MAX_LEVELS)
    sink.malformed({ member, expected: `at most ${MAX_LEVELS} levels`, found: `${list.length}` });
  for (const [at, one] of list.slice(0, MAX_LEVELS).entries()) {
    if (isJsonObject(one)) yield [at, one];
    else sink.malformed({ member: `${member}[${at}]`, expected: "an object", found: describeJson(one) });
  }
}

/** From the root of the set; `undefined`, with a finding, where it leads out of the group. */
function pathOf(value: JsonValue | undefined, member: Member, sink: Sink): string | undefined {
  const parts = typeof value === "string" ? value.replace(/\/$/, "").split("/") : [""];
  if (parts.some((part) => part === "" || part === "..")) {
    const expected = "a path below the group, such as “0”";
    sink.malformed({ member, expected, found: describeJson(value) });
    return undefined;
  }
  return [...(sink.group === "" ? [] : [sink.group]), ...parts.filter((part) => part !== ".")].join("/");
}

function positive(value: JsonValue | undefined, member: Member, sink: Sink): readonly number[] | undefined {
  if (value === undefined) return undefined;
  const numbers = numbersOf(value);
  if (numbers?.every((one) => one > 0) === true) return numbers;
  sink.malformed({ member, expected: "a list of numbers above 0", found: describeJson(value) });
  return undefined;
}

/** Finite ones. */
export function numbersOf(value: JsonValue | undefined): readonly number[] | undefined {
  if (!Array.isArray(value) || value.length > MAX_LEVELS) return undefined;
  const numbers = value.map((one) => (typeof one === "number" || typeof one === "bigint" ? Number(one) : Number.NaN));
  return numbers.every((one) => Number.isFinite(one)) ? numbers : undefined;
}

/** Sizes along x and y where nothing is turned: `[a, 0, c, 0, e, f]` (zarr-conventions/spatial, §spatial:transform). */
export function pixelOf(value: JsonValue | undefined): readonly [number, number] | undefined {
  const [a, b, , d, e] = numbersOf(value) ?? [];
  return a === undefined || e === undefined || b !== 0 || d !== 0 ? undefined : [a, e];
}

const optionalText = (value: JsonValue | undefined): string | undefined =>
  typeof value === "string" ? value : undefined;

/** `undefined` where they are of different axes. */
function product(a: readonly number[], b: readonly number[]): readonly number[] | undefined {
  return a.length === b.length ? a.map((one, at) => one * (b[at] ?? 1)) : undefined;
}

function quotient(a: readonly number[], b: readonly number[]): readonly number[] | undefined {
  return a.length === b.length ? a.map((one, at) => one / (b[at] ?? 1)) : undefined;
}

type Given<Members> = { readonly [Name in keyof Members]?: Exclude<Members[Name], undefined> };

/** Without the members that are `undefined`. */
function given<Members extends object>(members: Members): Given<Members> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Given<Members>;
}
