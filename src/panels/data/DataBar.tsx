/** The array's name, what was read of the slice, and how it is shown. */
import type { NodeSummary } from "../../core/open-set.ts";
import { useState } from "react";
import { useEngine } from "../../store/react.tsx";
import { Segmented } from "../../widgets/Segmented.tsx";
import { countOf, formatCount } from "../../widgets/number-format.ts";
import type { Axes } from "./use-axes.ts";
import { ordinal } from "../../core/number-text.ts";
import { unitsText } from "../../core/units-text.ts";
import { isNorthLast } from "../../core/axis.ts";
import { costText, freeStride } from "./cost-words.ts";
import type { Leave } from "./use-leave.ts";
import { countLooks, type ChunkLook } from "../../core/plane-values.ts";
import type { PlaneProgress, PlaneRequest } from "./use-plane-values.ts";
import type { SliceView } from "./use-slice-view.ts";
import styles from "./DataPanel.module.css";

interface DataBarProps {
  readonly node: NodeSummary;
  readonly view: SliceView;
  readonly change: (part: Partial<SliceView>) => void;
  readonly leave: Leave;
  readonly progress: PlaneProgress;
  readonly request: PlaneRequest;
  readonly axes: Axes;
  /** Given the place for the figure's own tools. */
  readonly toolsRef: (place: HTMLElement | null) => void;
}

export function DataBar({ axes, node, view, change, leave, progress, request, toolsRef }: DataBarProps) {
  return (
    <header className={styles.bar}>
      <div className={styles.who}>
        <h2 title={node.path}>
          {node.name} <Title set={request.set} array={node.path} />
        </h2>
        <p aria-live="polite">
          {leave.kind === "costly" && progress.wanted === 0 ? (
            costText(leave.cost)
          ) : (
            <ReadSoFar {...{ progress, request }} />
          )}
        </p>
      </div>
      {leave.kind === "costly" ? (
        <CostButtons key={leave.slice} {...{ leave, change }} hasMore={request.shape.length > 2} />
      ) : null}
      <div className={styles.controls}>
        <Segmented
          label="Values"
          value={view.scaled ? "cf" : "raw"}
          options={[
            { value: "cf", text: "CF", title: "As xarray decodes them: scaled, missing values left out" },
            { value: "raw", text: "Raw", title: "As they are stored" },
          ]}
          onValue={(value) => change({ scaled: value === "cf" })}
        />
        <Switches {...{ view, change, axes }} />
        <span ref={toolsRef} className={styles.tools} />
      </div>
    </header>
  );
}

/** What may be switched on and off in a picture; north only where there is one. */
function Switches({ view, change, axes }: Pick<DataBarProps, "view" | "change" | "axes">) {
  const { row, column } = view.plane;
  if (row === undefined || column === undefined) return null;
  const [down, across] = [axes(row), axes(column)];
  const isMap = down?.role === "latitude" && across?.role === "longitude";
  return (
    <>
      <button
        type="button"
        aria-pressed={view.edges}
        title="Lines between chunks"
        onClick={() => change({ edges: !view.edges })}
      >
        Chunk edges
      </button>
      <button
        type="button"
        aria-pressed={view.fileEdges}
        title="Thick lines where chunks of different files meet"
        onClick={() => change({ fileEdges: !view.fileEdges })}
      >
        File edges
      </button>
      {isMap && isNorthLast(down) ? (
        <button type="button" aria-pressed={view.northUp} onClick={() => change({ northUp: !view.northUp })}>
          North up
        </button>
      ) : null}
      <button
        type="button"
        aria-pressed={view.equalAspect}
        title="Cells as wide as they are high"
        onClick={() => change({ equalAspect: !view.equalAspect })}
      >
        Square
      </button>
    </>
  );
}

interface CostButtonsProps extends Pick<DataBarProps, "change"> {
  readonly leave: Extract<Leave, { kind: "costly" }>;
  /** There are other slices. */
  readonly hasMore: boolean;
}

/** What is asked for holds for this slice alone, unless it is said to hold for those after it. */
function CostButtons({ leave: { cost, slice }, change, hasMore }: CostButtonsProps) {
  const [onward, setOnward] = useState(false);
  const every = freeStride(cost);
  return (
    <div className={styles.offer}>
      <button type="button" className={styles.primary} onClick={() => change({ paid: { every: 1, slice, onward } })}>
        Read this slice
      </button>
      <button type="button" onClick={() => change({ paid: { every, slice, onward } })}>
        Read every {ordinal(every)} chunk
      </button>
      {hasMore ? (
        <label className={styles.choice}>
          <input type="checkbox" checked={onward} onChange={({ target }) => setOnward(target.checked)} />
          and those after it
        </label>
      ) : null}
    </div>
  );
}

/** "sea surface temperature, °C" */
function Title({ set, array }: { readonly set: number; readonly array: string }) {
  const about = useEngine("plane.about", { set, array }).data;
  const words = [about?.title, about?.units === undefined ? undefined : unitsText(about.units)];
  return <small>{words.filter((word) => word !== undefined).join(", ")}</small>;
}

/** "9 chunks: 7 read, 1 failed, 1 not read" */
function ReadSoFar({ progress, request }: Pick<DataBarProps, "progress" | "request">) {
  const count = request.chunks.rows * request.chunks.columns;
  const looks = progress.isOld ? [] : (progress.shown?.looks ?? []);
  const of = (look: ChunkLook) => countLooks(looks, look);
  const [read, missing, failed] = [of("read"), of("missing"), of("failed")];
  const unread = count - read - missing - failed;
  return (
    <>
      <b>{countOf(count, "chunk")}:</b> {formatCount(read)} read
      {failed > 0 ? <b className={styles.bad}>, {formatCount(failed)} failed</b> : null}
      {missing > 0 ? `, ${formatCount(missing)} missing` : null}
      {unread > 0 ? `, ${formatCount(unread)} not read` : null}
    </>
  );
}
