/** The hash of an array of objects: of one JSON list of all elements in C order, as Python's `json.dumps` writes it. */
import type { CallContext } from "../../core/byte-source.ts";
import { coordinatesOf, insideShape } from "../../core/chunk-grid.ts";
import type { VariableElements } from "../../core/variable-elements.ts";
import { pythonJson } from "./digest-python-json.ts";
import {
  elementAt,
  forEachChunk,
  noteHash,
  readDecoded,
  slabShapeOf,
  startInSlab,
  type DigestWork,
  type Hash,
} from "./digest-slab.ts";

export interface ObjectHash {
  /** All chunks of this row; in order. */
  add(slab: number, context: CallContext): Promise<void>;
  end(): void;
}

const ENCODER = new TextEncoder();
const SEPARATOR = ", ";
/** Elements that are hashed at once. */
const BLOCK = 4096;

export function objectHash(work: DigestWork, hash: Hash): ObjectHash {
  let isFirst = true;
  hash.update(ENCODER.encode("["));
  return {
    add: async (slab, context) => {
      const texts = await readTexts(work, slab, context);
      for (let at = 0; at < texts.length; at += BLOCK) {
        const block = texts.slice(at, at + BLOCK).join(SEPARATOR);
        hash.update(ENCODER.encode(isFirst ? block : SEPARATOR + block));
        isFirst = false;
      }
    },
    end: () => hash.update(ENCODER.encode("]")),
  };
}

/** JSON texts of the slab's elements in C order. */
async function readTexts(work: DigestWork, slab: number, context: CallContext): Promise<readonly string[]> {
  const slabShape = slabShapeOf(work, slab);
  const fill = new TextDecoder().decode(work.fill ?? new Uint8Array(0));
  const texts = Array.from({ length: slabShape.reduce((product, length) => product * length, 1) }, () => fill);
  await forEachChunk(work, slab, async (coordinates) => {
    const read = await readDecoded(work, coordinates, context);
    if (read?.texts === undefined) return;
    noteChunkHash(work, read.name, read.texts);
    place(read.texts, texts, slabShape, coordinates, work);
  });
  return texts;
}

function noteChunkHash(work: DigestWork, name: string, elements: VariableElements): void {
  if (!work.options.perChunk) return;
  const texts = Array.from({ length: elements.length }, (_, at) => pythonJson(elements, at));
  noteHash(work, name, ENCODER.encode(`[${texts.join(SEPARATOR)}]`));
}

function place(
  elements: VariableElements,
  texts: string[],
  slabShape: readonly number[],
  coordinates: readonly number[],
  work: DigestWork,
): void {
  const { shape, chunks } = work.node.metadata;
  const inside = insideShape(shape, chunks, coordinates);
  const count = inside.reduce((product, length) => product * length, 1);
  const start = startInSlab(work, coordinates);
  for (let at = 0; at < count; at += 1) {
    const within = coordinatesOf(inside, at);
    const to = elementAt(
      slabShape,
      within.map((index, dimension) => index + (start[dimension] ?? 0)),
    );
    texts[to] = pythonJson(elements, elementAt(chunks, within));
  }
}
