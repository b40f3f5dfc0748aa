/** `read`: values of an array, or of a part of it. */
import { count, counted } from "../core/words.ts";
import { createHash } from "node:crypto";
import { failure, nodeAt } from "../core/findings/finding.ts";
import { withoutSecrets } from "../core/words/without-secrets.ts";
import { selectedCount, selectionText } from "../core/plane/selection.ts";
import { zarrUrl } from "../core/urls/zarr-url.ts";
import { typedSelection } from "../engine/many/typed-selection.ts";
import { readPart, type ArrayPart } from "../engine/many/array-part.ts";
import { arrayNode } from "../engine/engine-set.ts";
import type { CommandOptions } from "./options.ts";
import { nodePool } from "./decode-threads.ts";
import { aligned, paint, printable } from "./print/lines.ts";
import { escapedJson } from "./print/output.ts";
import { openSet, terminalContext } from "./open-refs.ts";
import { sentenceOf } from "./print/say-findings.ts";
import { writeOut } from "./write-out.ts";

/** Most elements whose values are in the answer. */
const MAX_VALUES = 10_000;

export async function readCommand(refs: readonly string[], options: CommandOptions): Promise<number> {
  const [one = ""] = refs;
  const { array = zarrUrl(one)?.array || undefined, select = "", cf = false, npy } = options;
  if (array === undefined) throw new Error("read needs --array PATH; info lists the arrays.");
  const context = terminalContext();
  const set = await openSet(one, options, context);
  const node = arrayNode(set, array.replace(/^\//, ""));
  const decoder = nodePool(options.threads);
  const { selection, places } = await typedSelection(select, { set, node, decoder }, context).catch(
    (error: unknown) => {
      decoder.close();
      throw error;
    },
  );
  const part = await readPart({ set, node, selection, cf, decoder }, context);
  decoder.close();
  const taken = selectedCount(selection) <= MAX_VALUES && part.failed.size === 0;
  const why = await reasons(part);
  const name = `${node.path}[${selectionText(selection, node.metadata.shape)}]`;
  if (options.json)
    console.log(
      escapedJson(partJson(part, { why, places, select: selectionText(selection, node.metadata.shape) }, taken)),
    );
  else for (const line of lines(part, { why, places }, name)) console.log(line);
  if (npy !== undefined) await write(npy, part, node.path, options);
  return part.failed.size > 0 ? 1 : 0;
}

async function write(path: string, part: ArrayPart, array: string, options: CommandOptions): Promise<void> {
  if (part.failed.size > 0) throw failure("selection-failed", nodeAt(array), { chunks: part.failed.size });
  await writeOut(path, part.npy(), options);
}

const hashOf = ({ bytes }: ArrayPart): string => createHash("sha256").update(bytes).digest("hex");

/** Coordinates that a selection by places took; empty for one by index. */
type Places = ReadonlyMap<string, string>;
type Reasons = readonly (readonly [chunk: string, why: string])[];

const reasons = ({ failed }: ArrayPart): Promise<Reasons> =>
  Promise.all(Array.from(failed, async ([name, error]) => [name, withoutSecrets(await sentenceOf(error))] as const));

/** Written by hand: values are exact, also integers beyond 2^53. */
function partJson(
  part: ArrayPart,
  { why, places, select }: { readonly why: Reasons; readonly places: Places; readonly select: string },
  withValues: boolean,
): string {
  const members = [
    `"shape": ${JSON.stringify(part.shape)}`,
    `"dtype": ${JSON.stringify(part.dtype)}`,
    ...(places.size === 0 ? [] : [`"select": ${JSON.stringify(select)}`, `"places": ${objectJson(places)}`]),
    ...(part.failed.size === 0 ? [`"sha256": "${hashOf(part)}"`] : []),
    `"failed": ${objectJson(why)}`,
    `"missing": ${part.missing}`,
    ...(withValues ? [`"values": ${nested(part, 0, 0)}`] : []),
  ];
  return `{\n ${members.join(",\n ")}\n}`;
}

const objectJson = (entries: Iterable<readonly [string, string]>): string =>
  JSON.stringify(Object.assign(Object.create(null), Object.fromEntries(entries)));

/** Nested lists like Python's `tolist`. */
function nested(part: ArrayPart, dimension: number, first: number): string {
  const length = part.shape[dimension];
  if (length === undefined) return part.json(first);
  const size = part.shape.slice(dimension + 1).reduce((product, extent) => product * extent, 1);
  return `[${Array.from({ length }, (_, at) => nested(part, dimension + 1, first + at * size)).join(", ")}]`;
}

/** Rows, and values of a row, that are shown to people. */
const [MAX_ROWS, MAX_COLUMNS] = [20, 12];

/** The digits that the type or its packing has, as on the page; JSON has the whole number. */
const shownText = (part: ArrayPart, index: number): string => {
  const json = part.json(index);
  return /^-?\d/.test(json) ? part.text(index) || json : json.replace(/^"(NaN|-?Infinity)"$/, "$1");
};

/** A line for each run along the last dimension, values below each other. */
function valueRows(part: ArrayPart): readonly string[] {
  const length = part.shape.at(-1) ?? 1;
  const elements = part.shape.reduce((product, extent) => product * extent, 1);
  const all = length === 0 ? 0 : elements / length;
  const rows = Array.from({ length: Math.min(MAX_ROWS, all) }, (_, row) => [
    ...Array.from({ length: Math.min(MAX_COLUMNS, length) }, (_unused, at) => shownText(part, row * length + at)),
    ...(length > MAX_COLUMNS ? [`… ${count(length - MAX_COLUMNS)} more`] : []),
  ]);
  return [...aligned(rows), ...(all > MAX_ROWS ? [`… ${counted(all - MAX_ROWS, "more row")}`] : [])];
}

function lines(
  part: ArrayPart,
  { why, places }: { readonly why: Reasons; readonly places: Places },
  name: string,
): readonly string[] {
  const missing =
    part.missing === 0 ? [] : [`  ${counted(part.missing, "chunk")} missing: they read as the fill value`];
  const failed = why.map(([key, reason]) => `  ${paint("error", "✕")} ${printable(`${key}: ${reason}`)}`);
  const hash = part.failed.size === 0 ? [`  sha256 ${hashOf(part)}`, ...valueRows(part).map((row) => `  ${row}`)] : [];
  return [
    paint("heading", printable(`${name} ${part.dtype} [${part.shape.join(", ")}]`)),
    ...(places.size === 0 ? [] : [printable(`  at ${Array.from(places, (place) => place.join(" ")).join(", ")}`)]),
    ...hash,
    ...missing,
    ...failed,
  ];
}
