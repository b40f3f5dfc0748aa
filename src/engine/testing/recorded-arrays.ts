/**
 * Arrays whose values were recorded with Python, opened from files as the page opens them, and compared element by
 * element.
 */
import { createHash } from "node:crypto";
import { droppedFiles } from "#io/local-files.ts";
import { NO_LOCATIONS } from "#core/byte-source.ts";
import { explained } from "#core/findings/explain.ts";
import { explainedText } from "#core/findings/explained.ts";
import { parseSelection } from "#core/plane/selection.ts";
import { arrayNode, type EngineSet } from "../engine-set.ts";
import { CONTEXT } from "../fixtures/plain-table.ts";
import { openFiles } from "../open/open-any.ts";
import { readPart, type ArrayPart } from "../many/array-part.ts";
import { oneNaN, pythonBytes } from "./one-spelling.ts";

/**
 * Array as Python reads it: `sha256` of the elements in C order, little-endian, every NaN the same; `values` of
 * elements without a fixed size.
 */
export interface RecordedArray {
  readonly shape: readonly number[];
  readonly dtype: string;
  readonly sha256?: string;
  readonly values?: readonly (string | { readonly b64: string })[];
}

export async function openedFiles(files: Readonly<Record<string, Uint8Array<ArrayBuffer>>>): Promise<EngineSet> {
  const dropped = Object.entries(files).map(([path, content]) => ({ path, blob: new Blob([content]) }));
  const opening = { locations: NO_LOCATIONS, network: {}, options: {}, context: CONTEXT };
  const answer = await openFiles(droppedFiles(dropped), opening);
  if (answer.kind !== "set") throw new Error(answer.title);
  return answer.set;
}

/** Difference of the whole array from the recording, or `undefined`. A failure begins with its code. */
export async function differenceFrom(
  expected: RecordedArray,
  set: EngineSet,
  array: string,
): Promise<string | undefined> {
  const node = arrayNode(set, array);
  const selection = parseSelection("...", node.metadata.shape);
  const part = await readPart({ set, node, selection, cf: false }, CONTEXT);
  const [failed] = part.failed.values();
  if (failed !== undefined) return `${failed.code}: ${explainedText(failed, explained)}`;
  const [found, wanted] = expected.values === undefined ? hashes(part, expected) : texts(part, expected.values);
  const isShape = String(part.shape) === String(expected.shape);
  return isShape && found === wanted ? undefined : `${part.dtype} [${part.shape.join(", ")}]: ${found} for ${wanted}`;
}

const hashes = (part: ArrayPart, { sha256 }: RecordedArray) => [hashOf(part), sha256 ?? ""] as const;

function texts(part: ArrayPart, values: NonNullable<RecordedArray["values"]>) {
  const found = values.map((_, at) => JSON.parse(part.json(at)) as string);
  return [found, values.map((value) => (typeof value === "string" ? value : pythonBytes(value.b64)))].map((list) =>
    JSON.stringify(list),
  );
}

const hashOf = ({ bytes, dtype }: ArrayPart) => createHash("sha256").update(oneNaN(bytes, dtype)).digest("hex");
