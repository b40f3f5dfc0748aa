/** A decoded chunk → its entry in the facts of its array. */
import { stridesC } from "#core/values/gather.ts";
import { type ArrayNode, metadataOfChunk } from "#core/metadata/array-metadata.ts";
import { scale, type Scaling, scalingOf, viewedValues } from "#core/cf/cf.ts";
import { insideShape, startAlong } from "#core/metadata/chunk-grid.ts";
import { type ChunkValues, decodeValues } from "#core/values/values.ts";
import { maskOf, missingTest } from "#core/cf/cf-statistics.ts";
import type { DecodedBytes } from "#engine/chunk/chunk-decoder.ts";
import { measuresOf } from "./measures.ts";
import { type ArrayFacts, CHUNK_DECODED, CHUNK_UNMEASURED, noteMeasures } from "./value-facts.ts";

const SCALINGS = new WeakMap<ArrayNode, { readonly scaling: Scaling | undefined }>();

/**
 * Scaling as the CF view has it, except that a 0 which is missing only because `fill_value` is 0 counts as a value
 * here.
 */
export function scalingOfNode(node: ArrayNode): Scaling | undefined {
  const found = SCALINGS.get(node)?.scaling ?? scalingOf(node.metadata, node.attributes);
  const known = { scaling: found?.zeroIsImplied === true ? { ...found, fillValues: [] } : found };
  SCALINGS.set(node, known);
  return known.scaling;
}

export function noteChunk(
  facts: ArrayFacts,
  slot: number,
  coordinates: readonly number[],
  decoded: DecodedBytes & { readonly bytes: Uint8Array<ArrayBuffer> },
): void {
  const { node } = facts;
  const { shape, chunks } = node.metadata;
  const values = decoded.values ?? decodeValues(decoded.bytes, metadataOfChunk(node.metadata, coordinates));
  const inside = insideShape(shape, chunks, coordinates);
  const measures = measuresOf(values, inside, {
    metadata: node.metadata,
    scaling: scalingOfNode(node),
    axis: facts.axis,
  });
  facts.states[slot] = measures === undefined ? CHUNK_UNMEASURED : CHUNK_DECODED;
  if (measures === undefined) return;
  noteMeasures(facts, slot, measures);
  // Text in place of a compressed chunk does not decode.
  if (facts.isPlain && node.metadata.dataType.itemSize > 1 && isText(decoded.bytes, node.metadata.dataType.itemSize))
    facts.isText[slot] = 1;
  if (facts.axis >= 0) noteProbes(facts, slot, values, inside);
  if (facts.whole !== undefined) noteWhole(facts.whole, facts, values, coordinates, inside);
}

/** Shorter ramps of numbers may be letters by chance; pages and pointers are longer. */
const LEAST_TEXT = 96;
const MAX_TEXT = 512;

/** Letters that text has at every place of an element; the first byte of numbers has few values, the last many. */
const LEAST_LETTERS = 6;

/**
 * Printable ASCII, blanks and line ends alone, in every byte of the elements many of them: numbers are not like that.
 */
function isText(bytes: Uint8Array, itemSize: number): boolean {
  if (bytes.length < LEAST_TEXT) return false;
  const length = Math.min(bytes.length, MAX_TEXT);
  const letters = Array.from({ length: itemSize }, () => new Set<number>());
  for (let at = 0; at < length; at += 1) {
    const byte = bytes[at] as number;
    if (byte > 0x7e || isControl(byte)) return false;
    letters[at % itemSize]?.add(byte);
  }
  const least = Math.min(LEAST_LETTERS, length / itemSize / 2);
  if (!letters.every(({ size }) => size >= least)) return false;
  // Rows of a few numbers may be letters by chance: text varies, and is text to its end.
  const words = new Set<string>();
  for (let at = 0; at + itemSize <= length; at += itemSize) words.add(bytes.subarray(at, at + itemSize).join(" "));
  return words.size * itemSize * REPEATS >= length && !bytes.some(isControl);
}

/** How often, on average, text repeats what lies in an element, at most. */
const REPEATS = 10;

const isControl = (byte: number): boolean => byte < 0x20 && byte !== 9 && byte !== 10 && byte !== 13;

/** Places spread over an extent, as far from its one end as from its other. */
function placesOf(length: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, at) => {
    const mirrored = Math.min(at, count - 1 - at);
    const place = Math.floor(((mirrored + 0.5) * length) / count);
    return at === mirrored ? place : length - 1 - place;
  });
}

/** Layers spread over a chunk, its first and its last among them. */
const layersOf = (length: number, count: number): readonly number[] =>
  count < 2 ? [0] : Array.from({ length: count }, (_, at) => Math.round((at * (length - 1)) / (count - 1)));

function noteProbes(facts: ArrayFacts, slot: number, stored: ChunkValues, inside: readonly number[]): void {
  const { axis, probes, node } = facts;
  const scaling = scalingOfNode(node);
  const values = scaling === undefined ? stored : viewedValues(stored, scaling);
  const { numbers, shape } = values;
  if (numbers === undefined) return;
  const isMissing = missingTest(values, numbers, scaling, maskOf(stored, scaling));
  const strides = stridesC(shape);
  const along = probes.places.map((count, at) =>
    count === 1 ? [0] : placesOf(inside[at] as number, count).map((place) => place * (strides[at] as number)),
  );
  const across = along.reduce<readonly number[]>(
    (all, own) => all.flatMap((one) => own.map((more) => one + more)),
    [0],
  );
  const length = inside[axis] as number;
  const layers = layersOf(length, Math.min(length, probes.layers));
  probes.kept[slot] = layers.length;
  let into = slot * probes.layers * probes.size;
  for (const layer of layers) {
    for (const place of across) {
      const at = place + layer * (strides[axis] as number);
      if (!isMissing(at)) probes.values[into] = Number(numbers[at]);
      into += 1;
    }
  }
}

/** Places along the axis of the layers that are kept of a chunk. */
export const layerPlaces = (facts: ArrayFacts, slot: number, length: number): readonly number[] =>
  layersOf(length, facts.probes.kept[slot] ?? 0);

/** Coordinates as they are read: unpacked. */
function noteWhole(
  whole: Float64Array,
  { node }: ArrayFacts,
  stored: ChunkValues,
  coordinates: readonly number[],
  inside: readonly number[],
): void {
  const scaling = scalingOfNode(node);
  const values = scaling === undefined ? stored : viewedValues(stored, scaling);
  const { numbers } = values;
  if (numbers === undefined) return;
  const isMissing = missingTest(values, numbers, scaling, maskOf(stored, scaling));
  const start = startAlong(node.metadata.chunks[0] ?? 1, coordinates[0] ?? 0);
  for (let at = 0; at < (inside[0] ?? 0); at += 1) {
    const value = Number(numbers[at]);
    if (!isMissing(at)) whole[start + at] = scaling === undefined ? value : scale(value, scaling);
  }
}
