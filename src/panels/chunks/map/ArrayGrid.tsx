/** The chunk grid of an array: all its slices side by side where they fit, else one that is moved in. */
import { useCallback, useRef, useState } from "react";
import { useAppState, useEngine } from "../../../store/react.tsx";
import { EmptyState } from "../../../widgets/EmptyState.tsx";
import { useMeasuring } from "../../../widgets/use-measuring.ts";
import type { Area } from "../../../widgets/cell-map/camera.ts";
import { extentOf } from "../../../widgets/cell-map/plane.ts";
import { MapHead } from "./MapHead.tsx";
import type { MapProps } from "./map-props.ts";
import { fitsAsPanels, PanelsMap } from "./PanelsMap.tsx";
import { SliceMap } from "./SliceMap.tsx";
import { useCheapAxes } from "./use-cheap-axes.ts";
import { useGridState } from "./use-grid.ts";
import styles from "./MapPart.module.css";

export type ArrayGridProps = Omit<MapProps, "axes" | "array" | "chunk" | "state" | "label">;

/** About what head and foot take of the height. */
const AROUND = 150;

export function ArrayGrid(props: ArrayGridProps) {
  const { set, node, grid } = props;
  const chunk = useAppState((state) => (state.node === node.path ? state.chunk : undefined));
  const state = useGridState(node.path, grid);
  const detail = useEngine("set.node", { set: set.id, path: node.path }).data;
  const array = detail?.path === node.path ? detail.array : undefined;
  const axes = useCheapAxes(set, node, chunk === undefined);
  const [single, setSingle] = useState(false);
  const stage = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState<Area>();
  const measure = useCallback(({ clientWidth, clientHeight }: HTMLElement) => {
    if (clientWidth > 0) setRoom({ width: clientWidth - PADDING, height: clientHeight - AROUND });
  }, []);
  useMeasuring(stage, measure);
  const extent = extentOf(grid, state.plane);
  if (extent.rows * extent.columns === 0) {
    return <EmptyState title="This array has no chunks.">One of its dimensions has length 0.</EmptyState>;
  }
  const fits = room !== undefined && fitsAsPanels({ node, state, axes }, room);
  const asPanels = fits && !single;
  const map: MapProps = { ...props, array, axes, chunk, state, label: gridLabel(props, asPanels) };
  return (
    <div ref={stage} role="group" className={styles.panel} aria-label="Chunk grid">
      <MapHead {...map} single={!asPanels} onSingle={fits ? setSingle : undefined} />
      {room === undefined ? null : asPanels ? <PanelsMap {...map} /> : <SliceMap {...map} />}
    </div>
  );
}

const PADDING = 20;

function gridLabel({ node, grid }: ArrayGridProps, asPanels: boolean): string {
  const name = node.path === "" ? "the root array" : node.path;
  const keys = asPanels
    ? "Arrow keys move, page keys go from panel to panel, Enter selects."
    : "Arrow keys move, Enter selects, plus and minus zoom.";
  return `Chunk grid of ${name}, ${grid.join(" by ")} chunks. ${keys}`;
}
