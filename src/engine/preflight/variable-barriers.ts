/** What stands against one array for each variable of all files: its type, chunks, codecs, packing, dimensions, attributes. */
import { isJsonObject } from "../../core/json/json.ts";
import { parseJson } from "../../core/json/parse-json.ts";
import { listed } from "../../core/words.ts";
import type { Barrier } from "../../core/check/preflight.ts";
import type { SourceArray } from "../../core/source-file.ts";
import {
  apart,
  barrierOf,
  filesWords,
  type Group,
  groupsOf,
  groupsWords,
  joined,
  type Named,
  others,
} from "./groups.ts";
import { lengthAlong, type Plan } from "./plan.ts";
import { type SourcedFile, unquoted } from "./sourced-file.ts";

/** A variable of a file. */
interface Member extends Named {
  readonly array: SourceArray;
}

export const pathsOf = (files: readonly SourcedFile[]): readonly string[] =>
  [...new Set(files.flatMap(({ arrays }) => [...arrays.keys()]))].sort();

/** `files` in the order in which they are put together, none of them empty. */
export function variableBarriers(files: readonly SourcedFile[], plan: Plan): readonly Barrier[] {
  const found = pathsOf(files).flatMap((path) => {
    const members = files.flatMap(({ name, arrays }): readonly Member[] => {
      const array = arrays.get(path);
      return array === undefined ? [] : [{ name, array }];
    });
    return [...missing(path, files, members, plan), ...barriersOf(path, members, plan)];
  });
  // A dimension of another name brings its coordinate along: that one is missing elsewhere for no reason of its own.
  const isRenamed = found.some(({ barrier }) => barrier === "dims-differ");
  const isExplained = ({ barrier, variables }: Barrier) =>
    isRenamed && barrier === "variable-missing" && files.some(({ coordinates }) => coordinates.has(variables[0] ?? ""));
  const shared = plan.how === "merge" ? lengthsDiffer(files) : [];
  return [...joined([...found.filter((one) => !isExplained(one)), ...shared]), ...attributesDiffer(files, plan)];
}

/** Variables side by side share dimensions, also those without a coordinate. */
function lengthsDiffer(files: readonly SourcedFile[]): readonly Barrier[] {
  const names = new Set(files.flatMap(({ source }) => source.arrays.flatMap(({ dimensions }) => dimensions)));
  return [...names].flatMap((name) => {
    const having = files.filter((file) => lengthAlong(file, name) !== undefined);
    const groups = groupsOf(having, (file) => String(lengthAlong(file, name)));
    const message = `The dimension ${name} has the length ${groupsWords(groups)}.`;
    return groups.length < 2
      ? []
      : [barrierOf("shape-differs", others(groups), name, message, apart("length", groups))];
  });
}

function missing(path: string, files: readonly SourcedFile[], members: readonly Named[], plan: Plan) {
  if (members.length === files.length || plan.how === "merge") return [];
  const without = files.filter(({ arrays }) => !arrays.has(path));
  const message = `${path} is not in ${filesWords(without)}, but in ${filesWords(members)}: xarray fills it with NaN there; xarray 2023.01 refuses the files, or drops what the first one lacks.`;
  const advice = `Leave ${path} out (drop_variables=["${path}"] in xarray and VirtualiZarr), or combine the files that have it on their own.`;
  return [barrierOf("variable-missing", without, path, message, advice)];
}

/** What must be one in all files. */
interface Check {
  readonly barrier: Barrier["barrier"];
  readonly valueOf: (array: SourceArray, plan: Plan) => string;
  readonly say: (about: About) => readonly [message: string, advice: string];
}

interface About {
  readonly path: string;
  readonly groups: readonly Group[];
  readonly members: readonly Member[];
  readonly plan: Plan;
}

const tuple = (value: string): string => `(${(JSON.parse(value) as readonly unknown[]).join(", ")})`;

const DIMENSIONS: Check = {
  barrier: "dims-differ",
  valueOf: ({ dimensions }) => JSON.stringify(dimensions),
  say: ({ path, groups }) => [
    `${path} has the dimensions ${groupsWords(groups, tuple)}.`,
    "References can neither rename nor transpose: do that in xarray after opening (ds.rename, ds.transpose), and join there.",
  ],
};
const SHAPE: Check = {
  barrier: "shape-differs",
  valueOf: ({ shape, dimensions }, { how, along }) =>
    JSON.stringify(shape.map((length, at) => (how === "concatenate" && dimensions[at] === along ? along : length))),
  say: ({ path, groups }) => [`${path} has the shape ${groupsWords(groups, tuple)}.`, apart("shape", groups, tuple)],
};
const ENDIAN: Readonly<Record<string, string>> = { "<": " (little-endian)", ">": " (big-endian)" };
const typeWord = (value: string): string => {
  const [dtype = "", read] = value.split(" ");
  return dtype + (ENDIAN[dtype.slice(0, 1)] ?? "") + (read === undefined ? "" : ` read as ${read}`);
};
/** `|i1 unsigned`: xarray goes by these attributes (conventions.py and coding/variables.py of 2023.01). */
const typeRead = ({ dtype, attributes }: SourceArray): string => {
  const [type, sign] = [unquoted(dtype), attributes.get("_Unsigned")];
  if (attributes.get("dtype") === '"bool"') return `${type} bool`;
  if (type[1] === "i" && sign === '"true"') return `${type} unsigned`;
  return type[1] === "u" && sign === '"false"' ? `${type} signed` : type;
};
const TYPE: Check = {
  barrier: "dtype-differs",
  valueOf: typeRead,
  say: ({ path, groups }) => [
    `${path} is ${groupsWords(groups, typeWord)}: one Zarr array has one type and one byte order, while xarray promotes them to a common type.`,
    `${apart("type", groups, typeWord)} Join them in xarray after opening.`,
  ],
};
const CHUNKS: Check = {
  barrier: "chunk-shape-differs",
  valueOf: ({ chunks }) => JSON.stringify(chunks),
  say: ({ path, groups, members, plan }) => [
    `${path} has chunks of ${groupsWords(groups, tuple)}: one Zarr array has chunks of one shape.`,
    apart("chunk shape", groups, tuple) + chunkAdvice(members, plan),
  ],
};
const CODECS: Check = {
  barrier: "codec-differs",
  valueOf: (array) => codecWords(array, false),
  say: ({ path, groups }) => [
    `${path} is stored with ${groupsWords(groups)}: one Zarr array has one list of codecs, and chunks decoded with another are wrong or fail.`,
    apart("list of codecs", groups),
  ],
};
const LEVELS: Check = {
  barrier: "codec-level-differs",
  valueOf: (array) => codecWords(array, true),
  say: ({ path, groups }) => [
    `${path} is compressed with ${groupsWords(groups)}: chunks decode alike.`,
    "Nothing has to be done.",
  ],
};
const FILL: Check = {
  barrier: "fill-differs",
  // `missing_value` masks too; what is no attribute of the file masks nothing there.
  valueOf: ({ fill, hasFillAttribute, attributes }) =>
    fill +
    (hasFillAttribute === undefined && fill !== "null" ? " that masks nothing" : "") +
    (attributes.has("missing_value") ? ` and missing_value ${attributes.get("missing_value") ?? ""}` : ""),
  say: ({ path, groups }) => [
    `${path} has the fill value ${groupsWords(groups)}: with the fill value of the others, missing values of ${filesWords(others(groups))} become numbers.`,
    `${apart("fill value", groups)} Join them in xarray after decoding.`,
  ],
};
const PACKING: Check = {
  barrier: "packing-differs",
  valueOf: ({ attributes }) =>
    `${Number(attributes.get("scale_factor") ?? 1)} ${Number(attributes.get("add_offset") ?? 0)}`,
  say: ({ path, groups }) => packingWords(path, groups),
};

function barriersOf(path: string, members: readonly Member[], plan: Plan): readonly Barrier[] {
  const differing = ({ barrier, valueOf, say }: Check): readonly Barrier[] => {
    const groups = groupsOf(members, ({ array }) => valueOf(array, plan));
    return groups.length < 2 ? [] : [barrierOf(barrier, others(groups), path, ...say({ path, groups, members, plan }))];
  };
  const either = (first: readonly Barrier[], otherwise: () => readonly Barrier[]) =>
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

const divisor = (one: number, other: number): number => (other === 0 ? one : divisor(other, one % other));
const along =
  (name: keyof Pick<SourceArray, "shape" | "chunks">, plan: Plan) =>
  ({ array }: Member) =>
    array[name][array.dimensions.indexOf(plan.along ?? "")] ?? 0;

/** Of chunks that differ along the dimension alone. */
function chunkAdvice(members: readonly Member[], plan: Plan): string {
  const rest = members.map(({ array }) => array.chunks.filter((_, at) => array.dimensions[at] !== plan.along).join());
  if (plan.how !== "concatenate" || new Set(rest).size > 1) return "";
  const [lengths, chunks] = [members.map(along("shape", plan)), members.map(along("chunks", plan))];
  const isPlain = members.every(({ array }) => array.filters.length === 0 && array.dimensions[0] === plan.along);
  return [
    ` Chunks of ${chunks.reduce(divisor)} along ${plan.along ?? ""} fit all.`,
    ...(isPlain ? ["The values are not compressed: references could be cut to that length without rewriting."] : []),
    ...(lengths.every((length, at) => length % (chunks[at] ?? 1) === 0)
      ? ["A rectilinear chunk grid (Zarr v3) takes chunks of these lengths as they are."]
      : []),
  ].join(" ");
}

/** Only the last file may end within a chunk. */
function partialChunks(path: string, members: readonly Member[], plan: Plan): readonly Barrier[] {
  const [lengthOf, chunkOf] = [along("shape", plan), along("chunks", plan)];
  const inside = members.slice(0, -1).filter((one) => lengthOf(one) % chunkOf(one) !== 0);
  const [first] = inside;
  if (first === undefined || plan.how !== "concatenate") return [];
  const [length, chunk, name] = [lengthOf(first), chunkOf(first), plan.along ?? ""];
  const common = members.map(lengthOf).reduce(divisor);
  const fits = Array.from({ length: Math.min(chunk, common) }, (_, at) => at + 1).filter((one) => common % one === 0);
  const why = length < chunk ? `fewer than a chunk of ${chunk}` : `no multiple of the chunk length ${chunk}`;
  const message = `${path} has ${length} along ${name} in ${filesWords([first])}, ${why}: the next file would begin within a chunk, and all that follows would be read from the wrong place.`;
  const advice = `Rewrite the files with chunks of ${listed(fits.slice(-4).map(String), "or")} along ${name}, which fit all lengths, or join them in xarray after opening each. A rectilinear chunk grid does not help: the last chunk of each file is stored at full length.`;
  return [barrierOf("partial-chunk-inside", inside, path, message, advice)];
}

/** `shuffle + zlib level 4`. What Blosc did stands in its chunks: its members are as a level, and tell nothing of decoding. */
export function codecWords({ filters }: SourceArray, withLevel: boolean): string {
  const words = filters.map((text) => {
    const { value } = parseJson(text);
    const members = isJsonObject(value) ? [...value] : [];
    const id = JSON.stringify(members.find(([name]) => name === "id")?.[1]);
    const shown = members.filter(
      ([name]) => name !== "id" && name !== "elementsize" && (withLevel || (id !== '"blosc"' && name !== "level")),
    );
    return [unquoted(id), ...shown.map(([name, one]) => `${name} ${JSON.stringify(one)}`)].join(" ");
  });
  return words.join(" + ") || "no codec";
}

/** What was written in single precision, as it was written. */
export const short = (text: string): string => {
  const rounded = Number(Number(text).toPrecision(7));
  return Math.fround(rounded) === Number(text) ? String(rounded) : text;
};

function packingWords(path: string, groups: readonly Group[]): readonly [message: string, advice: string] {
  const parts = groups.map(({ value }) => value.split(" ").map(Number) as [number, number]);
  const [[scale, offset], [otherScale, otherOffset]] = parts as [[number, number], [number, number]];
  const [hasOneScale, hasOneOffset] = [parts.every(([one]) => one === scale), parts.every(([, one]) => one === offset)];
  const word = (value: string): string => {
    const [one, other] = value.split(" ");
    return listed([
      ...(hasOneScale ? [] : [`scale_factor ${short(one ?? "")}`]),
      ...(hasOneOffset ? [] : [`add_offset ${short(other ?? "")}`]),
    ]);
  };
  const wrong = filesWords(groups[1]?.files ?? []);
  const [round, by] = [(value: number) => Number(value.toPrecision(7)), offset - otherOffset];
  const result = hasOneScale
    ? `values of ${wrong} are ${round(Math.abs(by))} too ${by > 0 ? "high" : "low"}`
    : `a stored 1000 of ${wrong}, which is ${round(1000 * otherScale + otherOffset)}, is read as ${round(1000 * scale + offset)}`;
  return [
    `${path} is packed with ${groupsWords(groups, word)}: read with the packing of the others, ${result}.`,
    `${apart("packing", groups, word)} Join them in xarray after decoding.`,
  ];
}

/** Attributes that have a barrier of their own. */
const ELSEWHERE = ["scale_factor", "add_offset", "missing_value", "_FillValue"];
const MOST_NAMED = 6;

function attributesDiffer(files: readonly SourcedFile[], plan: Plan): readonly Barrier[] {
  const units: Barrier[] = [];
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
      if (isUnit) units.push(unitsDiffer(path, name, groups));
      else differing.push({ name, path, files: others(groups) });
    }
  }
  if (differing.length === 0) return units;
  const named = differing.slice(0, MOST_NAMED).map(({ name, path }) => (path === "" ? name : `${name} of ${path}`));
  const more = differing.length > MOST_NAMED ? [`${differing.length - MOST_NAMED} more`] : [];
  const message = `Attributes differ between files: ${listed([...named, ...more])}. Those of the first file are kept.`;
  const advice = 'In xarray and VirtualiZarr combine_attrs="drop_conflicts" leaves them out.';
  const those = [...new Set(differing.flatMap((one) => one.files))];
  const variables = [...new Set(differing.map(({ path }) => path))].filter((path) => path !== "");
  return [...units, { ...barrierOf("attributes-differ", those, "", message, advice), variables }];
}

function unitsDiffer(path: string, name: string, groups: readonly Group[]): Barrier {
  const message = `${path} has the ${name} ${groupsWords(groups)}: read together, all of it has those of the first file.`;
  const advice = `If only the texts differ, correct them in the files. ${apart(name, groups)}`;
  return { ...barrierOf("attributes-differ", others(groups), path, message, advice), severity: "warning" };
}

/** Variables that are taken once must be the same in all files. `contentOf`: undefined where it is too large. */
export async function identityBarriers(
  files: readonly SourcedFile[],
  plan: Plan,
  contentOf: (file: SourcedFile, array: SourceArray) => Promise<Uint8Array | undefined>,
): Promise<{ readonly barriers: readonly Barrier[]; readonly notCompared: readonly string[] }> {
  const barriers: Barrier[] = [];
  const notCompared: string[] = [];
  for (const path of pathsOf(files).filter((one) => !plan.isJoined(one))) {
    const having = files.filter(({ arrays }) => arrays.has(path));
    const arrays = having.map((file) => file.arrays.get(path) as SourceArray);
    // Another shape or type has a barrier already.
    if (new Set(arrays.map(({ shape, dtype }) => `${shape.join()} ${dtype}`)).size > 1 || having.length < 2) continue;
    const contents: (Uint8Array | undefined)[] = [];
    for (const [at, file] of having.entries()) contents.push(await contentOf(file, arrays[at] as SourceArray));
    if (contents.includes(undefined)) notCompared.push(path);
    const groups = groupsOf(having, (file) => String(contents.indexOf(contents[having.indexOf(file)])));
    if (groups.length > 1) barriers.push(identityDiffers(path, groups, having));
  }
  return { barriers: joined(barriers), notCompared };
}

function identityDiffers(path: string, groups: readonly Group[], having: readonly SourcedFile[]): Barrier {
  const range = (value: string) => {
    const coordinate = having[Number(value)]?.coordinates.get(path);
    const last = (having[Number(value)]?.arrays.get(path)?.shape[0] ?? 1) - 1;
    return coordinate === undefined ? "" : `${coordinate.text(0)} to ${coordinate.text(last)}`;
  };
  const hasRanges = new Set(groups.map(({ value }) => range(value))).size > 1;
  const differing = filesWords(others(groups));
  const message = hasRanges
    ? `${path} is ${groupsWords(groups, range)}: one dataset has it once, and values of ${differing} would stand at other places.`
    : `${path} has other values in ${differing} than in ${filesWords(groups[0]?.files ?? [])}: one dataset has it once.`;
  const isIndex = having.some(
    ({ coordinates, arrays }) => coordinates.has(path) && arrays.get(path)?.shape.length === 1,
  );
  const peers = isIndex
    ? 'xarray and VirtualiZarr refuse them with join="exact".'
    : 'xarray.concat repeats it along the dimension (data_vars="all", coords="different").';
  const advice = `Combine files of one ${path} on their own. ${peers}`;
  return barrierOf("identical-coordinate-differs", others(groups), path, message, advice);
}
