/**
 * A file for each value of a scalar coordinate: along the dimension of its name, as `xarray.concat(dim="time")` joins them
 * (xarray/core/concat.py, `_calc_concat_over`). Such files are taken as if each had the dimension already, of length 1.
 */
import type { CallContext } from "#core/byte-source.ts";
import type { SourceArray } from "#core/source-file.ts";
import type { ChunkDecoder } from "../chunk/chunk-decoder.ts";
import { areDisjoint, beside, isData, likelyDimension, namesOfDimensions } from "./plan.ts";
import { contentReader, type Coordinate, readCoordinate, type SourcedFile, unquoted } from "./sourced-file.ts";

interface Scalar {
  readonly path: string;
  /** One for each file. */
  readonly values: readonly Coordinate[];
}

/** `files` as they are where they have the dimension, or no scalar tells one from the other. */
export async function withScalarDimension(
  files: readonly SourcedFile[],
  asked: string | undefined,
  decoder: ChunkDecoder,
  context: CallContext,
): Promise<{ readonly files: readonly SourcedFile[]; readonly along: string | undefined }> {
  const dimensions = namesOfDimensions(files);
  const isPlain =
    asked === undefined
      ? files.length < 2 || areDisjoint(files) || likelyDimension(files, dimensions) !== undefined
      : dimensions.includes(asked);
  const scalar = isPlain ? undefined : await scalarOf(files, asked, decoder, context);
  if (scalar === undefined) return { files, along: asked };
  const { path: along, values } = scalar;
  const content = contentReader(decoder, context);
  const all = [...new Set(files.flatMap(({ arrays }) => [...arrays.keys()]))];
  const auxiliary = new Set(files.flatMap(({ arrays }) => [...arrays.values()].flatMap(namedByCoordinates)));
  const isLong = new Map<string, boolean>();
  for (const path of all) {
    const having = files.filter(({ arrays }) => arrays.has(path));
    const arrays = having.map((file) => file.arrays.get(path) as SourceArray);
    const isFixed = arrays.some(({ shape }) => shape.length === 0) || auxiliary.has(path);
    const contents = isFixed
      ? await Promise.all(having.map((file, at) => content(file, arrays[at] as SourceArray)))
      : [];
    isLong.set(path, path === along || (isFixed ? new Set(contents).size > 1 : arrays.some(isData)));
  }
  const longer = (array: SourceArray): SourceArray =>
    isLong.get(array.path) === true
      ? {
          ...array,
          shape: [1, ...array.shape],
          chunks: [1, ...array.chunks],
          dimensions: [along, ...array.dimensions],
        }
      : array;
  return {
    along,
    files: files.map((file, at) => {
      const arrays = file.source.arrays.map(longer);
      return {
        ...file,
        source: { ...file.source, arrays },
        arrays: new Map(arrays.map((array) => [array.path, array])),
        coordinates: new Map([...file.coordinates, [along, values[at] as Coordinate]]),
      };
    }),
  };
}

/** Scalar that was requested, or the first time that differs in each file. */
async function scalarOf(
  files: readonly SourcedFile[],
  asked: string | undefined,
  decoder: ChunkDecoder,
  context: CallContext,
): Promise<Scalar | undefined> {
  const [first] = files;
  const paths = asked === undefined ? [...(first?.arrays.keys() ?? [])] : [asked];
  for (const path of paths) {
    const arrays = files.flatMap(({ arrays }) => arrays.get(path) ?? []);
    if (arrays.length < files.length || arrays.some(({ shape }) => shape.length > 0)) continue;
    const values = await Promise.all(
      files.map((file, at) => readCoordinate(file, arrays[at] as SourceArray, decoder, context)),
    );
    const keys = values.map((one) => one.keys?.[0]);
    const isTime = values.every(({ time }) => time !== undefined) && new Set(keys).size === files.length;
    if (!keys.includes(undefined) && (asked !== undefined || isTime)) return { path, values };
  }
  return undefined;
}

const namedByCoordinates = ({ path, attributes }: SourceArray): readonly string[] =>
  unquoted(attributes.get("coordinates") ?? "")
    .split(" ")
    .map((name) => beside(path, name));
