/** What both ways to show a grid are given: all slices at once, or one that is moved in. */
import type { RefObject } from "react";
import type { ArrayDetail, NodeSummary, RasterColour, SetSummary } from "../../../core/open-set.ts";
import type { PointedChunk } from "../pointed-chunk.ts";
import type { AxisOf } from "./panel-slices.ts";
import type { CellChange } from "./change-words.ts";
import type { Compared, GridState, Looked } from "./use-grid.ts";

export interface MapProps {
  readonly set: SetSummary;
  readonly node: NodeSummary;
  readonly grid: readonly number[];
  readonly array: ArrayDetail | undefined;
  /** What stands along a dimension, where that is known. */
  readonly axes: AxisOf;
  readonly colour: RasterColour;
  readonly onColour: (colour: RasterColour) => void;
  /** What is known of the changes of this array; absent while no comparison covers it. */
  readonly compared: Compared | undefined;
  /** Shared with the table. */
  readonly pointed: PointedChunk;
  /** The selected chunk of this array. */
  readonly chunk: readonly number[] | undefined;
  readonly state: GridState;
  /** What is shown, and which keys do what. */
  readonly label: string;
}

export interface MapFootProps extends MapProps {
  readonly looked: Looked;
  /** How the chunk that is looked at differs between the snapshots, while that is shown and known. */
  readonly change: CellChange | undefined;
  /** The map: by keyboard one goes on from there. */
  readonly frame: RefObject<HTMLElement | null>;
  /** Lengths at the ends of the scale. */
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
  /** Whether chunks that were not read have dots. */
  readonly dotted: boolean;
  /** How much of the grid is in sight, where that is not all. */
  readonly sentence: string;
}
