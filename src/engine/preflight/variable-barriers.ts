/**
 * Finds differences that keep files from having one array for each variable: type, chunks, codecs, packing, dimensions,
 * attributes.
 */
import { attempt } from "#core/basics.ts";
import { barrierFacts } from "#core/check/preflight.ts";
import type { FactsOf, Finding } from "#core/findings/finding.ts";
import type { JsonObject } from "#core/json/json.ts";
import { writeJson } from "#core/json/parse-json.ts";
import { meaningOf, meaningText } from "#core/metadata/meaning.ts";
import type { MetadataMember } from "#core/metadata/member-names.ts";
import { sourceNode } from "#core/metadata/source-node.ts";
import type { SourceArray } from "#core/source-file.ts";
import { oncePer } from "../kept.ts";
import { barrier, filesFact, type Group, groupFacts, groupsOf, joined, type Named, others } from "./groups.ts";
import { beside, lengthAlong, type Plan } from "./plan.ts";
import { isCoordinate, type SourcedFile, unquoted } from "./sourced-file.ts";

/** A variable of a file. */
interface Member extends Named {
  readonly array: SourceArray;
}

export const pathsOf = (files: readonly SourcedFile[]): readonly string[] =>
  [...new Set(files.flatMap(({ arrays }) => [...arrays.keys()]))].sort();

/** `files` in the order in which they are put together, none of them empty. */
export function variableBarriers(files: readonly SourcedFile[], plan: Plan): readonly Finding[] {
  const found = pathsOf(files).flatMap((path) => {
    const members = files.flatMap(({ name, arrays }): readonly Member[] => {
      const array = arrays.get(path);
      return array === undefined ? [] : [{ name, array }];
    });
    return [...missing(path, files, members, plan), ...barriersOf(path, members, plan)];
  });
  // A dimension of another name brings its coordinate along: that one is missing elsewhere for no reason of its own.
  const isRenamed = found.some(({ code }) => code === "dims-differ");
  const isExplained = (one: Finding) =>
    isRenamed &&
    one.code === "variable-missing" &&
    files.some(({ coordinates }) => coordinates.has(barrierFacts(one).variables[0] ?? ""));
  const shared = plan.how === "merge" ? lengthsDiffer(files) : [];
  return [...joined([...found.filter((one) => !isExplained(one)), ...shared]), ...attributesDiffer(files, plan)];
}

/** Variables side by side share dimensions, also those without a coordinate. */
function lengthsDiffer(files: readonly SourcedFile[]): readonly Finding[] {
  const names = new Set(files.flatMap(({ source }) => source.arrays.flatMap(({ dimensions }) => dimensions)));
  return [...names].flatMap((name) => {
    const having = files.filter((file) => lengthAlong(file, name) !== undefined);
    const groups = groupsOf(having, (file) => String(lengthAlong(file, name)));
    const facts = { ...groupFacts(groups), isDimension: true };
    return groups.length < 2 ? [] : [barrier("shape-differs", others(groups), name, facts)];
  });
}

function missing(path: string, files: readonly SourcedFile[], members: readonly Named[], plan: Plan) {
  if (members.length === files.length || plan.how === "merge") return [];
  const without = files.filter(({ arrays }) => !arrays.has(path));
  return [barrier("variable-missing", without, path, { having: filesFact(members) })];
}

type Differs = "dims-differ" | "shape-differs" | "dtype-differs" | "chunk-shape-differs" | "codec-differs";
type Further = "codec-level-differs" | "fill-differs" | "packing-differs";

/** A property that must be equal in all files, as a text that is equal in two files only if the property is. */
interface Check {
  readonly code: Differs | Further;
  readonly valueOf: (array: SourceArray, plan: Plan) => string;
}

const DIMENSIONS: Check = { code: "dims-differ", valueOf: ({ dimensions }) => JSON.stringify(dimensions) };
const SHAPE: Check = {
  code: "shape-differs",
  valueOf: ({ shape, dimensions }, { how, along }) =>
    JSON.stringify(shape.map((length, at) => (how === "concatenate" && dimensions[at] === along ? along : length))),
};
/** `|i1 unsigned`: the sign by which xarray reads it stands behind the type. */
const TYPE: Check = {
  code: "dtype-differs",
  valueOf: (array) => `${unquoted(array.dtype)} ${stated(array, "sign")}`.trim(),
};
const CHUNKS: Check = { code: "chunk-shape-differs", valueOf: ({ chunks }) => JSON.stringify(chunks) };
const CODECS: Check = { code: "codec-differs", valueOf: (array) => codecWords(array, false) };
const LEVELS: Check = { code: "codec-level-differs", valueOf: (array) => codecWords(array, true) };
const FILL: Check = {
  code: "fill-differs",
  // `missing_value` masks too; what is no attribute of the file masks nothing there.
  valueOf: ({ fill, hasFillAttribute, attributes }) =>
    JSON.stringify([fill, hasFillAttribute !== undefined || fill === "null", attributes.get("missing_value")]),
};
const PACKING: Check = {
  code: "packing-differs",
  valueOf: (array) => `${stated(array, "scale_factor", "1")} ${stated(array, "add_offset", "0")}`,
};

function barriersOf(path: string, members: readonly Member[], plan: Plan): readonly Finding[] {
  const differing = ({ code, valueOf }: Check): readonly Finding[] => {
    const groups = groupsOf(members, ({ array }) => valueOf(array, plan));
    if (groups.length < 2) return [];
    const more = code === "chunk-shape-differs" ? { fit: chunksThatFit(members, plan) } : {};
    return [barrier(code, others(groups), path, { ...groupFacts(groups), ...more } as never)];
  };
  const either = (first: readonly Finding[], otherwise: () => readonly Finding[]) =>
    first.length > 0 ? first : otherwise();
  return either(differing(DIMENSIONS), () => {
    const shape = differing(SHAPE);
    // A coordinate that is written anew is decoded.
    if (path === plan.along && plan.isRewritten(path)) return shape;
    const type = differing(TYPE);
    if (!plan.isJoined(path)) return [...shape, ...type];
    const codecs = () => either(differing(CODECS), () => differing(LEVELS));
    const chunks = () => either(differing(CHUNKS), () => partialChunks(path, members, plan));
    const stored = plan.isRewritten(path) ? [] : [...(shape.length > 0 ? [] : chunks()), ...codecs()];
    return [...shape, ...type, ...stored, ...(type.length > 0 ? [] : differing(FILL)), ...differing(PACKING)];
  });
}

/** Text that is equal for two files' arrays only where no barrier of the array itself is between them. */
export function likeness(array: SourceArray, plan: Plan): string {
  const { path } = array;
  const joined = plan.isRewritten(path) ? [TYPE, FILL, PACKING] : [SHAPE, TYPE, CHUNKS, CODECS, FILL, PACKING];
  const checks = path === plan.along ? [] : plan.isJoined(path) ? joined : [SHAPE, TYPE];
  const units = path === plan.along ? undefined : array.attributes.get("units");
  return JSON.stringify([path, units, ...[DIMENSIONS, ...checks].map(({ valueOf }) => valueOf(array, plan))]);
}

const divisor = (one: number, other: number): number => (other === 0 ? one : divisor(other, one % other));
const along =
  (name: keyof Pick<SourceArray, "shape" | "chunks">, plan: Plan) =>
  ({ array }: Member) =>
    array[name][array.dimensions.indexOf(plan.along ?? "")] ?? 0;

/** Chunk lengths that differ along the dimension alone. */
function chunksThatFit(members: readonly Member[], plan: Plan): FactsOf<"chunk-shape-differs">["fit"] {
  const rest = members.map(({ array }) => array.chunks.filter((_, at) => array.dimensions[at] !== plan.along).join());
  if (plan.how !== "concatenate" || new Set(rest).size > 1) return undefined;
  const [lengths, chunks] = [members.map(along("shape", plan)), members.map(along("chunks", plan))];
  return {
    along: plan.along ?? "",
    chunk: chunks.reduce(divisor),
    isPlain: members.every(({ array }) => array.filters.length === 0 && array.dimensions[0] === plan.along),
    isRectilinear: lengths.every((length, at) => length % (chunks[at] ?? 1) === 0),
  };
}

/** Only the last file may end within a chunk. */
function partialChunks(path: string, members: readonly Member[], plan: Plan): readonly Finding[] {
  const [lengthOf, chunkOf] = [along("shape", plan), along("chunks", plan)];
  const inside = members.slice(0, -1).filter((one) => lengthOf(one) % chunkOf(one) !== 0);
  const [first] = inside;
  if (first === undefined || plan.how !== "concatenate") return [];
  const [length, chunk] = [lengthOf(first), chunkOf(first)];
  const common = members.map(lengthOf).reduce(divisor);
  const fits = Array.from({ length: Math.min(chunk, common) }, (_, at) => at + 1).filter((one) => common % one === 0);
  const facts = { along: plan.along ?? "", length, chunk, fits: fits.slice(-4) };
  return [barrier("partial-chunk-inside", inside, path, facts)];
}

/** Meaning of an array's metadata; `undefined` if Zarr has no such array. */
const meaningIn = oncePer((array: SourceArray) => attempt(() => meaningOf(sourceNode(array))));

function stated(array: SourceArray, member: MetadataMember, otherwise = ""): string {
  const value = meaningIn(array)?.[member];
  return value === undefined ? otherwise : meaningText(value);
}

/** `shuffle + zlib level 4`. A level is what only the encoder needed. */
export function codecWords(array: SourceArray, withLevel: boolean): string {
  const { codecs = [], level = [] } = meaningIn(array) ?? {};
  const words = (codecs as readonly JsonObject[]).map((codec, at) => {
    const encoding = withLevel ? ((level as readonly JsonObject[])[at] ?? []) : [];
    return [...codec, ...encoding]
      .map(([name, one]) => (name === "id" ? meaningText(one) : `${name} ${writeJson(one)}`))
      .join(" ");
  });
  return words.join(" + ") || "no codec";
}

/** Attributes that have a barrier of their own. */
const ELSEWHERE = ["scale_factor", "add_offset", "missing_value", "_FillValue"];
const MOST_NAMED = 6;

function attributesDiffer(files: readonly SourcedFile[], plan: Plan): readonly Finding[] {
  const units: Finding[] = [];
  const differing: { readonly name: string; readonly path: string; readonly files: readonly Named[] }[] = [];
  for (const path of ["", ...pathsOf(files)]) {
    const having = files.flatMap(({ name, source, arrays }) => {
      const node = path === "" ? source.groups[0] : arrays.get(path);
      return node === undefined ? [] : [{ name, attributes: node.attributes }];
    });
    for (const name of new Set(having.flatMap(({ attributes }) => [...attributes.keys()]))) {
      const isUnit = name === "units" || name === "calendar" || name === "_Encoding";
      const isDate = files.some(({ coordinates }) => coordinates.get(path)?.time !== undefined);
      const isTime = isUnit && isDate && path === plan.along && plan.isRewritten(path);
      const groups = groupsOf(having, ({ attributes }) => unquoted(attributes.get(name) ?? "none"));
      if (groups.length < 2 || isTime || ELSEWHERE.includes(name) || (path === "" && name === plan.along)) continue;
      const first = having[0]?.attributes.get(name);
      const kept = first === undefined ? {} : { kept: unquoted(first) };
      if (isUnit)
        units.push(
          barrier("attributes-differ", others(groups), path, { member: name, ...kept, ...groupFacts(groups) }),
        );
      else differing.push({ name, path, files: others(groups) });
    }
  }
  if (differing.length === 0) return units;
  const those = [...new Set(differing.flatMap((one) => one.files))];
  const attributes = differing.slice(0, MOST_NAMED).map(({ name, path }) => ({ name, path }));
  const facts = { member: undefined, attributes, more: differing.length - attributes.length };
  const rest = barrier("attributes-differ", those, "", facts);
  const variables = [...new Set(differing.map(({ path }) => path))].filter((path) => path !== "");
  return [...units, { ...rest, facts: { ...rest.facts, variables } }];
}

/** Variables that are taken once must be the same in all files. `contentOf`: undefined where it is too large. */
export async function identityBarriers(
  files: readonly SourcedFile[],
  plan: Plan,
  contentOf: (file: SourcedFile, array: SourceArray) => Promise<Uint8Array | undefined>,
): Promise<{ readonly barriers: readonly Finding[]; readonly notCompared: readonly string[] }> {
  const barriers: Finding[] = [];
  const notCompared: string[] = [];
  const coordinates = coordinatesOf(files);
  for (const path of pathsOf(files).filter((one) => !plan.isJoined(one))) {
    const having = files.filter(({ arrays }) => arrays.has(path));
    const arrays = having.map((file) => file.arrays.get(path) as SourceArray);
    // Another shape or type has a barrier already.
    if (new Set(arrays.map(({ shape, dtype }) => `${shape.join()} ${dtype}`)).size > 1 || having.length < 2) continue;
    const contents: (Uint8Array | undefined)[] = [];
    for (const [at, file] of having.entries()) contents.push(await contentOf(file, arrays[at] as SourceArray));
    if (contents.includes(undefined)) notCompared.push(path);
    const groups = groupsOf(having, (file) => String(contents.indexOf(contents[having.indexOf(file)])));
    if (groups.length < 2) continue;
    const code = coordinates.has(path) ? "identical-coordinate-differs" : "identical-variable-differs";
    barriers.push(barrier(code, others(groups), path, identityFacts(path, groups, having)));
  }
  return { barriers: joined(barriers), notCompared };
}

/** Variables that lie along their own dimension, and those that others name as their coordinates or bounds. */
function coordinatesOf(files: readonly SourcedFile[]): ReadonlySet<string> {
  const arrays = files.flatMap((file) => [...file.arrays.values()]);
  const named = arrays.flatMap(({ path, attributes }) =>
    ["coordinates", "bounds"].flatMap((name) =>
      unquoted(attributes.get(name) ?? "")
        .split(" ")
        .map((one) => beside(path, one)),
    ),
  );
  return new Set([...named, ...arrays.filter(isCoordinate).map(({ path }) => path)]);
}

function identityFacts(path: string, groups: readonly Group[], having: readonly SourcedFile[]) {
  const rangeOf = (value: string) => {
    const coordinate = having[Number(value)]?.coordinates.get(path);
    const last = (having[Number(value)]?.arrays.get(path)?.shape[0] ?? 1) - 1;
    return coordinate === undefined ? "" : JSON.stringify([coordinate.text(0), coordinate.text(last)]);
  };
  const ranges = new Set(groups.map(({ value }) => rangeOf(value)));
  const hasRanges = ranges.size > 1 && !ranges.has("");
  const isIndex = having.some(
    ({ coordinates, arrays }) => coordinates.has(path) && arrays.get(path)?.shape.length === 1,
  );
  return { ...groupFacts(groups, (value) => (hasRanges ? rangeOf(value) : "")), isIndex };
}
