/** Arrays whose values were recorded with Python, opened from files as the page opens them, and compared element by element. */
import { createHash } from "node:crypto";
import { droppedFiles } from "../../io/local-files.ts";
import { NO_LOCATIONS } from "../../core/location.ts";
import { explained } from "../../core/findings/explain.ts";
import { explainedText } from "../../core/findings/explained.ts";
import { parseSelection } from "../../core/selection.ts";
import { arrayNode, type EngineSet } from "../engine-set.ts";
import { CONTEXT } from "../fixtures/plain-table.ts";
import { openFiles } from "../open/open-any.ts";
import { readPart, type ArrayPart } from "../many/array-part.ts";

/** What Python reads: `sha256` of the elements in C order, little-endian, every NaN the same; `values` of elements without a fixed size. */
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

/** What is wrong with the whole array; `undefined` where it is as recorded. What failed says its code first. */
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

/** As Python's `str` of bytes, of those that need no quotes escaped. */
function pythonBytes(base64: string): string {
  const text = Array.from(Buffer.from(base64, "base64"), (byte) =>
    byte >= 32 && byte < 127 ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, "0")}`,
  );
  return `b'${text.join("")}'`;
}

function hashOf({ bytes, dtype }: ArrayPart): string {
  const copy = bytes.slice();
  if (/^<[fc]/.test(dtype)) oneNaN(copy, dtype);
  return createHash("sha256").update(copy).digest("hex");
}

/** Engines keep the bits of a NaN or not: every one is written the same. */
function oneNaN(bytes: Uint8Array<ArrayBuffer>, dtype: string): void {
  const size = Number(dtype.slice(2)) / (dtype[1] === "c" ? 2 : 1);
  if (size === 2) {
    const halves = new Uint16Array(bytes.buffer);
    for (let i = 0; i < halves.length; i++) if (((halves[i] ?? 0) & 0x7fff) > 0x7c00) halves[i] = 0x7e00;
    return;
  }
  const values = size === 4 ? new Float32Array(bytes.buffer) : new Float64Array(bytes.buffer);
  for (let i = 0; i < values.length; i++) if (Number.isNaN(values[i])) values[i] = NaN;
}
