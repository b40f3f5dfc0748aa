/** `reshape` (registered Zarr v3 extension): the elements of the chunk, in the same order, in another shape. */
import type { JsonObject, JsonValue } from "#core/json/json.ts";
import { badConfiguration, brief, type ChunkOutline, type Decoder } from "../codec.ts";

const ID = "reshape";
const MAX_DIMENSIONS = 64;

export const reshape: Decoder = {
  prepare: (configuration, array) => {
    const shape = encodedShape(configuration, array);
    return { label: `reshape, from [${shape.join(", ")}]`, decode: (input) => input };
  },
  encoded: (configuration, array) => ({ ...array, chunkShape: encodedShape(configuration, array) }),
};

/** A length, the dimensions of the chunk whose product it is, or what is left over. */
type Length = number | readonly number[] | "rest";

function encodedShape(configuration: JsonObject, array: ChunkOutline): readonly number[] {
  const value = configuration.get("shape");
  const list: readonly JsonValue[] | undefined = Array.isArray(value) ? value : undefined;
  if (list === undefined || list.length > MAX_DIMENSIONS) {
    throw badConfiguration(ID, "shape", `a list of at most ${MAX_DIMENSIONS} lengths`, brief(value));
  }
  const lengths = list.map((one) => lengthOf(one, array.chunkShape.length));
  const dimensions = lengths.flatMap((one) => (typeof one === "object" ? one : []));
  if (dimensions.some((one, at) => at > 0 && one <= (dimensions[at - 1] ?? 0))) {
    throw badConfiguration(ID, "shape", "dimensions in rising order, each at most once", `[${dimensions.join(", ")}]`);
  }
  const shape = withRest(lengths, array);
  checkPlaces(lengths, shape, array.chunkShape);
  return shape;
}

function lengthOf(written: JsonValue, rank: number): Length {
  if (written === -1) return "rest";
  if (typeof written === "number" && Number.isSafeInteger(written) && written > 0) return written;
  const list: readonly JsonValue[] = Array.isArray(written) ? written : [];
  const isList = list.every((one) => Number.isInteger(one) && (one as number) >= 0 && (one as number) < rank);
  if (Array.isArray(written) && isList) return list as readonly number[];
  const found = Array.isArray(written) ? `[${list.slice(0, 40).map(brief).join(", ")}]` : brief(written);
  throw badConfiguration(ID, "shape", `lengths of at least 1, dimensions below ${rank}, or -1`, found);
}

const productOf = (lengths: readonly number[]): number => lengths.reduce((product, length) => product * length, 1);

function withRest(lengths: readonly Length[], { chunkShape, elements }: ChunkOutline): readonly number[] {
  const known = lengths.map((one) =>
    one === "rest"
      ? one
      : typeof one === "number"
        ? one
        : productOf(one.map((dimension) => chunkShape[dimension] ?? 1)),
  );
  const fixed = productOf(known.filter((one) => one !== "rest"));
  const rests = known.length - known.filter((one) => one !== "rest").length;
  const rest = elements / fixed;
  const fits = rests === 1 ? Number.isInteger(rest) : rests === 0 && fixed === elements;
  if (fits) return known.map((one) => (one === "rest" ? rest : one));
  const written = known.map((one) => (one === "rest" ? "-1" : String(one))).join(", ");
  throw badConfiguration(
    ID,
    "shape",
    `as many elements as the chunk has, ${elements}, with one -1 at most`,
    `[${written}]`,
  );
}

/** Dimensions that are named must represent themselves: as many elements before and after them as in the chunk. */
function checkPlaces(lengths: readonly Length[], shape: readonly number[], chunkShape: readonly number[]): void {
  for (const [at, one] of lengths.entries()) {
    if (typeof one !== "object" || one.length === 0) continue;
    const [first, last] = [one[0] ?? 0, one.at(-1) ?? 0];
    const before = productOf(shape.slice(0, at)) === productOf(chunkShape.slice(0, first));
    if (before && productOf(shape.slice(at + 1)) === productOf(chunkShape.slice(last + 1))) continue;
    const expected = `the dimensions ${one.join(", ")} of [${chunkShape.join(", ")}] where they are in the chunk`;
    throw badConfiguration(ID, "shape", expected, `[${shape.join(", ")}]`);
  }
}
