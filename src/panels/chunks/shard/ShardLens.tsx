/** The lens on a shard of the selected array: which shard is looked at, and its map asked from the engine. */
import { useState } from "react";
import type { ChunkEdges } from "../../../core/chunk-edges.ts";
import {
  chunkKey,
  chunkOf,
  chunkStart,
  encodedShape,
  gridOf,
  largestShape,
  ordinalOf,
  shardsInChunks,
} from "../../../core/chunk-grid.ts";
import type { NodeSummary, SetSummary, ShardAnswer } from "../../../core/open-set.ts";
import { useActions, useAppState, useEngine } from "../../../store/react.tsx";
import { ShardPanel } from "./ShardPanel.tsx";
import { chunkCoordinates, type ShardContent, type ShardPlace } from "./shard-props.ts";

export interface ShardLensProps {
  readonly set: SetSummary;
  readonly node: NodeSummary;
  readonly shardShape: readonly ChunkEdges[];
}

/** The shard of the selected chunk, until another is asked for. */
export function ShardLens({ set, node, shardShape }: ShardLensProps) {
  const actions = useActions();
  const { shape = [], chunks: inner = [] } = node;
  // Inner chunks are all of one shape.
  const chunks = largestShape(inner);
  const shards = shardsInChunks(shardShape, chunks);
  const shardGrid = gridOf(shape, shardShape);
  const chunk = useAppState((state) => state.chunk);
  const selectedShard = chunk && chunkOf(chunk, shards);
  const [asked, setAsked] = useState<readonly number[]>();
  const [followed, setFollowed] = useState(selectedShard?.join());
  if (followed !== selectedShard?.join()) {
    setFollowed(selectedShard?.join());
    if (selectedShard !== undefined) setAsked(undefined);
  }
  const coordinates = asked ?? selectedShard ?? shardGrid.map(() => 0);
  const isEmpty = shardGrid.includes(0);
  const answer = useEngine(
    "chunk.shard",
    isEmpty ? undefined : { set: set.id, array: node.path, shard: coordinates },
    `shard ${node.path}`,
  );
  const detail = useEngine("set.node", { set: set.id, path: node.path });
  const first = chunkStart(coordinates, shards);
  const innerGrid = encodedShape(shards, coordinates);
  const within = chunk?.map((at, dimension) => at - (first[dimension] ?? 0));
  const isHere = selectedShard?.join() === coordinates.join();
  const array = {
    path: node.path,
    shape,
    chunks,
    shardShape,
    dtype: node.dtype ?? "",
    chunkBytes: answer.data?.chunkBytes,
    dimensionNames: node.dimensionNames,
    fillValue: detail.data?.array?.fillValue,
  };
  const place = { ...placeOf(node.path, coordinates, answer.data), first };
  return (
    <ShardPanel
      content={contentOf(answer)}
      array={array}
      shard={place}
      shardGrid={shardGrid}
      selected={within === undefined || !isHere ? undefined : ordinalOf(innerGrid, within)}
      onSelect={(ordinal) => {
        actions.selectChunk(node.path, chunkCoordinates(place, innerGrid, ordinal));
      }}
      onOpenChunk={(ordinal) => {
        actions.selectChunk(node.path, chunkCoordinates(place, innerGrid, ordinal));
      }}
      onShard={setAsked}
      onRetry={answer.retry}
    />
  );
}

function placeOf(
  path: string,
  coordinates: readonly number[],
  answer: ShardAnswer | undefined,
): Omit<ShardPlace, "first"> {
  const state = answer?.coordinates.join() === coordinates.join() ? answer.state : undefined;
  if (state?.kind !== "shard") return { coordinates, key: chunkKey(path, coordinates, "c/"), target: undefined };
  return { coordinates, key: state.name, target: state.target ?? undefined };
}

function contentOf({
  data,
  stale,
  error,
}: Pick<ReturnType<typeof useEngine<"chunk.shard">>, "data" | "stale" | "error">): ShardContent {
  if (error !== undefined) return { kind: "damaged", error };
  if (data === undefined) return { kind: "loading" };
  if (data.state.kind === "missing") return stale ? { kind: "loading" } : { kind: "missing" };
  if (data.state.kind === "failed") return stale ? { kind: "loading" } : { kind: "damaged", error: data.state.error };
  return { kind: "map", map: data.state.map, ...(stale ? { stale } : {}) };
}
