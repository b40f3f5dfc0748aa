/** The chunk grid of the selected array as a picture (DESIGN "The screen"). */
import { useState } from "react";
import type { NodeSummary, RasterColour, SetSummary } from "../../../core/open-set.ts";
import { useCommand } from "../../../store/react.tsx";
import type { PointedChunk } from "../pointed-chunk.ts";
import { ArrayGrid } from "./ArrayGrid.tsx";
import { useCompared } from "./use-compared.ts";

export interface MapPartProps {
  readonly set: SetSummary;
  readonly node: NodeSummary;
  readonly grid: readonly number[];
  /** Shared with the table. */
  readonly pointed: PointedChunk;
}

export function MapPart({ set, node, grid, pointed }: MapPartProps) {
  const [colour, setColour] = useState<RasterColour>("length");
  useCommand("colour-map", (command) => {
    setColour(command.colour);
  });
  const compared = useCompared(node.path);
  return (
    <ArrayGrid
      {...{ set, node, grid, pointed, compared }}
      // Comes back with the next array that differs.
      colour={colour === "change" && compared === undefined ? "length" : colour}
      onColour={setColour}
    />
  );
}
