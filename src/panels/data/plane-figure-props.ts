import type { NodeSummary, SetSummary } from "../../core/open-set.ts";
import type { PlaneProgress, PlaneRequest } from "./use-plane-values.ts";
import type { SliceActions, SliceView } from "./use-slice-view.ts";
import type { Axes } from "./use-axes.ts";
import type { SeenChunks } from "./visible-chunks.ts";

/** What a picture of a slice, and its map, are made of. */
export interface PlaneFigureProps {
  readonly set: SetSummary;
  readonly node: NodeSummary;
  readonly view: SliceView;
  readonly change: (part: Partial<SliceView>) => void;
  readonly go: SliceActions;
  readonly axes: Axes;
  readonly request: PlaneRequest;
  readonly progress: PlaneProgress;
  /** Where the figure puts what belongs to it among the view's tools. */
  readonly tools: HTMLElement | null;
  readonly onSeen: (seen: SeenChunks) => void;
}
