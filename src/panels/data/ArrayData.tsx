/** An array's values: its name and cost above, the slice, the other dimensions and the colours below. */
import type { ChunkEdges } from "../../core/chunk-edges.ts";
import { useMemo, useState } from "react";
import type { NodeSummary, SetSummary } from "../../core/open-set.ts";
import { planeChunks, planeExtent, type Plane, type ValuesAbout } from "../../core/plane.ts";
import { MOST_PLANE_CHUNKS } from "../../core/plane-budget.ts";
import { useActions, useEngine } from "../../store/react.tsx";
import { EmptyState } from "../../widgets/EmptyState.tsx";
import { formatCount } from "../../widgets/number-format.ts";
import { ErrorNotice } from "../../widgets/ErrorNotice.tsx";
import { DataBar } from "./DataBar.tsx";
import { Dock } from "./Dock.tsx";
import { LineFigure } from "./LineFigure.tsx";
import { PlaneFigure } from "./PlaneFigure.tsx";
import { stepsFor } from "../../core/plane-values.ts";
import { TextFigure } from "./TextFigure.tsx";
import { useAxes } from "./use-axes.ts";
import { useLeave } from "./use-leave.ts";
import { usePlaneValues, type PlaneRequest } from "./use-plane-values.ts";
import { scaledDimension, useSlice, useSliceView } from "./use-slice-view.ts";
import { useVisibleChunks } from "./visible-chunks.ts";
import styles from "./DataPanel.module.css";

export interface ArrayDataProps {
  readonly set: SetSummary;
  readonly node: NodeSummary;
  readonly shape: readonly number[];
  readonly grid: readonly number[];
  readonly chunkShape: readonly ChunkEdges[];
}

export function ArrayData(props: ArrayDataProps) {
  const { set, node, shape, grid, chunkShape } = props;
  const { view, change, ...go } = useSliceView(node.path, shape, chunkShape);
  const { scaled } = view;
  const plane = useSlice(view.plane);
  const axes = useAxes(set.id, node.path, plane, scaledDimension(view, shape));
  const { leave, error, retry } = useLeave({ set: set.id, array: node.path, plane, chunkShape }, view.paid);
  const every = leave.kind === "granted" ? leave.every : 0;
  const request = useMemo((): PlaneRequest => {
    const extent = planeExtent(plane, shape);
    return {
      set: set.id,
      array: node.path,
      shape,
      chunkShape,
      plane,
      extent,
      chunks: planeChunks(plane, grid, chunkShape),
      steps: stepsFor(extent),
      scaled,
      every,
    };
  }, [set.id, node.path, shape, chunkShape, grid, plane, scaled, every]);
  const about = useEngine("plane.about", { set: set.id, array: node.path }).data;
  const count = request.chunks.rows * request.chunks.columns;
  const look = count > MOST_PLANE_CHUNKS ? undefined : lookOf(plane, about);
  const visible = useVisibleChunks();
  const [tools, setTools] = useState<HTMLElement | null>(null);
  const isOn = leave.kind !== "asking" && look !== "text" && look !== undefined;
  const progress = usePlaneValues("plane", request, isOn, visible.isSeen);
  const mayRead = leave.kind === "granted";
  return (
    <div className={styles.panel} role="group" aria-label="Values across chunks">
      <DataBar {...{ axes, node, view, change, progress, request, leave }} toolsRef={setTools} />
      {error === undefined ? null : <ErrorNotice error={error} onRetry={retry} />}
      {count > MOST_PLANE_CHUNKS ? <TooManyChunks count={count} /> : null}
      {look === "plane" ? (
        <PlaneFigure {...{ set, node, view, change, go, axes, request, progress, tools }} onSeen={visible.see} />
      ) : null}
      {look === "line" ? <LineFigure {...{ set, node, view, go, axes, request, progress, tools }} /> : null}
      {look === "text" && mayRead ? <TextFigure {...{ set, node, shape, view, axes }} /> : null}
      {shape.length === 0 || (shape.length === 1 && look !== "plane") ? null : (
        <Dock {...{ set, node, shape, grid, view, change, axes, progress, request }} hasColours={look === "plane"} />
      )}
    </div>
  );
}

/** Whatever a slice would show, nothing is kept for so many chunks. */
function TooManyChunks({ count }: { readonly count: number }) {
  const actions = useActions();
  return (
    <EmptyState title="Slice too large to draw">
      It has {formatCount(count)} chunks; Refscope draws slices of at most {formatCount(MOST_PLANE_CHUNKS)}.{" "}
      <button type="button" onClick={() => actions.showView("chunks")}>
        Show chunks
      </button>
    </EmptyState>
  );
}

/** As what it is shown; `undefined` until it is known what its values are. */
function lookOf(plane: Plane, about: ValuesAbout | undefined): "plane" | "line" | "text" | undefined {
  if (about === undefined) return undefined;
  if (!about.numeric || (plane.row === undefined && plane.column === undefined)) return "text";
  return plane.row === undefined ? "line" : "plane";
}
