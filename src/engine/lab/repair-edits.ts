/** A trial as edits of the reference set: another metadata document, another reference, or all ranges of the array moved. */
import type { ArrayMetadata } from "../../core/array-metadata.ts";
import type { CallContext } from "../../core/byte-source.ts";
import { RefscopeError } from "../../core/errors.ts";
import type { ArrayNode } from "../../core/hierarchy.ts";
import type { RepairScope, Trial } from "../../core/lab.ts";
import type { TableEdit } from "../../core/studio.ts";
import { chunkReference } from "../chunk/chunk-reference.ts";
import { arrayNode, isDocument, type DocumentSet, type EngineSet } from "../engine-set.ts";
import { documentEdits } from "./document-edits.ts";
import { changesMetadata } from "./edited-metadata.ts";
import { movedRange } from "./load-trial.ts";
import { rangesOf } from "./ranges-of.ts";

export interface RepairRequest {
  readonly array: string;
  readonly coordinates: readonly number[];
  readonly trial: Trial;
  readonly scope: RepairScope;
}

/**
 * None where the trial changes nothing.
 *
 * @throws RefscopeError `not-editable`, with advice, where the set cannot be edited so; `trial-configuration`
 */
export async function repairEdits(
  set: EngineSet,
  { array, coordinates, trial, scope }: RepairRequest,
  context: CallContext,
): Promise<readonly TableEdit[]> {
  if (!isDocument(set)) throw notADocument(set);
  const node = arrayNode(set, array);
  const codecs = changesMetadata(node.metadata, trial) ? codecEdits(set, node, trial, scope) : [];
  const { shift = 0, lengthen = 0 } = trial;
  if (shift === 0 && lengthen === 0) return codecs;
  if (node.metadata.sharding !== undefined) throw innerChunk(array);
  const move = { shift, lengthen };
  if (scope === "array") return [...codecs, await movedRanges(set, node, move, context)];
  return [...codecs, await movedReference(set, node, coordinates, move, context)];
}

function codecEdits(set: DocumentSet, node: ArrayNode, trial: Trial, scope: RepairScope): readonly TableEdit[] {
  if (scope === "chunk") throw chunkHasNoCodecs(node.path);
  const edits = documentEdits(set, node.path, node.metadata, trial);
  if (edits.length > 0) return edits;
  throw notEditable(node.path, { found: `no ${documentName(node.metadata)} in the set that could be changed` });
}

const documentName = ({ zarrFormat }: ArrayMetadata): string => (zarrFormat === 2 ? ".zarray" : "zarr.json");

type Move = Required<Pick<Trial, "shift" | "lengthen">>;

async function movedReference(
  set: DocumentSet,
  node: ArrayNode,
  coordinates: readonly number[],
  move: Move,
  context: CallContext,
): Promise<TableEdit> {
  const { reference, origin, key } = await chunkReference(set, node, coordinates, context);
  if (origin?.kind === "gen") throw madeByGen(key);
  if (reference.kind !== "range") throw noRange(key, reference.kind);
  const moved = movedRange(reference, move);
  if ("error" in moved) throw new RefscopeError({ ...moved.error, where: key });
  const url = origin?.kind === "refs" ? (origin.written ?? reference.target) : reference.target;
  const value = `[${JSON.stringify(url)},${moved.offset},${moved.length}]`;
  return { kind: "set-reference", key, value };
}

async function movedRanges(
  set: DocumentSet,
  { path }: ArrayNode,
  move: Move,
  context: CallContext,
): Promise<TableEdit> {
  const ranges = await rangesOf(set, path, move, context);
  if (ranges.madeByGen > 0) throw madeByGen(path, ranges.madeByGen);
  if (ranges.ranges === 0) throw noRange(path, "missing");
  if (ranges.impossible > 0) {
    const found = `${ranges.impossible} of ${ranges.ranges} ranges that would begin before byte 0 or have no bytes`;
    throw notEditable(path, { expected: "ranges that can all be moved so", found }, "Move single chunks instead.");
  }
  return { kind: "shift-ranges", path, ...move };
}

interface Wrong {
  readonly expected?: string;
  readonly found: string;
}

function notEditable(where: string, wrong: Wrong, advice?: string): RefscopeError {
  const fields = {
    code: "not-editable",
    doing: "Making an edit of a trial",
    where: where === "" ? "/" : where,
    ...wrong,
  };
  return new RefscopeError(advice === undefined ? fields : { ...fields, advice });
}

function notADocument({ name, format }: EngineSet): RefscopeError {
  const wrong = { expected: "a Kerchunk JSON document", found: format.label };
  return notEditable(
    name,
    wrong,
    "Only Kerchunk JSON can be edited here. Write the change with the tool that made the set.",
  );
}

function chunkHasNoCodecs(path: string): RefscopeError {
  const wrong = {
    expected: "a change of offset or length",
    found: "other codecs or another byte order, which are the array's",
  };
  const advice =
    "Apply it to the array if all its chunks are stored so. Where only some are, no Zarr metadata can say it: store the chunk's bytes anew, encoded as the others are, inline or in a file of their own.";
  return notEditable(path, wrong, advice);
}

function innerChunk(path: string): RefscopeError {
  const wrong = {
    expected: "chunks with references of their own",
    found: "inner chunks of shards, which the shard's index places",
  };
  return notEditable(path, wrong, "Correct the reference of the shard, or write the shard anew.");
}

function madeByGen(where: string, count?: number): RefscopeError {
  const found = count === undefined ? "a reference that gen makes" : `${count} references that gen makes`;
  const wrong = { expected: "references that stand in refs", found };
  return notEditable(where, wrong, "Change offset or length of that gen in the editor.");
}

function noRange(where: string, kind: string): RefscopeError {
  const found = kind === "missing" ? "none" : `a reference of another kind (${kind})`;
  return notEditable(
    where,
    { expected: "a reference [url, offset, length]", found },
    "Write the reference by hand in the editor.",
  );
}
