/** A trial as edits of the reference set: another metadata document, another reference, or all ranges of the array moved. */
import type { ArrayMetadata } from "../../core/array-metadata.ts";
import type { CallContext } from "../../core/byte-source.ts";
import type { RefscopeError } from "../../core/errors.ts";
import { failure } from "../../core/findings/failure.ts";
import type { FactsOf } from "../../core/findings/finding.ts";
import { chunkAt, nodeAt, WHOLE_SET, type Place } from "../../core/findings/place.ts";
import type { ArrayNode } from "../../core/hierarchy.ts";
import type { RepairScope, Trial } from "../../core/lab.ts";
import type { TableEdit } from "../../core/studio.ts";
import { chunkReference } from "../chunk/chunk-reference.ts";
import { arrayNode, isDocument, type DocumentSet, type EngineSet } from "../engine-set.ts";
import { documentEdits } from "./document-edits.ts";
import { changesMetadata } from "./edited-metadata.ts";
import { movedRange, type Move } from "./load-trial.ts";
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
  if (!isDocument(set)) throw notEditable(WHOLE_SET, { problem: "not-a-document", format: set.format.label });
  const node = arrayNode(set, array);
  const codecs = changesMetadata(node.metadata, trial) ? codecEdits(set, node, trial, scope) : [];
  const { shift = 0, lengthen = 0 } = trial;
  if (shift === 0 && lengthen === 0) return codecs;
  if (node.metadata.sharding !== undefined) throw notEditable(chunkAt(array, coordinates), { problem: "inner-chunk" });
  const move = { shift, lengthen };
  if (scope === "array") return [...codecs, await movedRanges(set, node, move, context)];
  return [...codecs, await movedReference(set, node, coordinates, move, context)];
}

function codecEdits(set: DocumentSet, node: ArrayNode, trial: Trial, scope: RepairScope): readonly TableEdit[] {
  if (scope === "chunk") throw notEditable(nodeAt(node.path), { problem: "codecs-of-chunk" });
  const edits = documentEdits(set, node.path, node.metadata, trial);
  if (edits.length > 0) return edits;
  throw notEditable(nodeAt(node.path), { problem: "no-metadata", document: documentName(node.metadata) });
}

const documentName = ({ zarrFormat }: ArrayMetadata): string => (zarrFormat === 2 ? ".zarray" : "zarr.json");

async function movedReference(
  set: DocumentSet,
  node: ArrayNode,
  coordinates: readonly number[],
  move: Move,
  context: CallContext,
): Promise<TableEdit> {
  const { reference, origin, key } = await chunkReference(set, node, coordinates, context);
  const place = chunkAt(node.path, coordinates);
  if (origin?.kind === "gen") throw madeByGen(place, 1);
  if (reference.kind !== "range") throw notEditable(place, { problem: "no-range", reference: reference.kind });
  const moved = movedRange(reference, move);
  if ("problem" in moved) throw failure("trial-range", place, moved);
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
  const { ranges, impossible, madeByGen: generated } = await rangesOf(set, path, move, context);
  const place = nodeAt(path);
  if (generated > 0) throw madeByGen(place, generated);
  if (ranges === 0) throw notEditable(place, { problem: "no-range", reference: "missing" });
  if (impossible > 0) throw notEditable(place, { problem: "impossible-ranges", impossible, ranges });
  return { kind: "shift-ranges", path, ...move };
}

function notEditable(place: Place, facts: FactsOf<"not-editable">): RefscopeError {
  return failure("not-editable", place, facts);
}

function madeByGen(place: Place, references: number): RefscopeError {
  return notEditable(place, { problem: "generated", made: "references", references });
}
