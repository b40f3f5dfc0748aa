/** The array's name, what was read of the slice, and how it is shown. */
import type { NodeSummary } from "../../core/open-set.ts";
import type { PlaneCost } from "../../core/plane.ts";
import { useEngine } from "../../store/react.tsx";
import { Segmented } from "../../widgets/Segmented.tsx";
import { countOf, formatCount } from "../../widgets/number-format.ts";
import { shownUnits } from "./value-words.ts";
import { isFalling } from "./axis-words.ts";
import type { Axes } from "./use-axes.ts";
import { costText, freeStride, ordinal } from "./cost-words.ts";
import { countLooks, type ChunkLook } from "./plane-values.ts";
import type { PlaneProgress, PlaneRequest } from "./use-plane-values.ts";
import type { SliceView } from "./use-slice-view.ts";
import styles from "./DataPanel.module.css";

interface DataBarProps {
  readonly node: NodeSummary;
  readonly view: SliceView;
  readonly change: (part: Partial<SliceView>) => void;
  readonly cost: PlaneCost | undefined;
  readonly mayRead: boolean;
  readonly progress: PlaneProgress;
  readonly request: PlaneRequest;
  readonly axes: Axes;
  /** Given the place for the figure's own tools. */
  readonly toolsRef: (place: HTMLElement | null) => void;
}

export function DataBar({ axes, node, view, change, cost, mayRead, progress, request, toolsRef }: DataBarProps) {
  return (
    <header className={styles.bar}>
      <div className={styles.who}>
        <h2 title={node.path}>
          {node.name} <Title set={request.set} array={node.path} />
        </h2>
        <p aria-live="polite">
          {mayRead || cost === undefined ? <ReadSoFar {...{ progress, request }} /> : costText(cost)}
        </p>
      </div>
      {!mayRead && cost !== undefined ? <CostButtons {...{ cost, change }} /> : null}
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
        Edges
      </button>
      {isMap && !isFalling(down.values) ? (
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

function CostButtons({ cost, change }: Pick<DataBarProps, "change"> & { readonly cost: PlaneCost }) {
  const every = freeStride(cost);
  return (
    <div className={styles.offer}>
      <button type="button" className={styles.primary} onClick={() => change({ every: 1 })}>
        Read this slice
      </button>
      <button type="button" onClick={() => change({ every })}>
        Read every {ordinal(every)} chunk
      </button>
    </div>
  );
}

/** "sea surface temperature, °C" */
function Title({ set, array }: { readonly set: number; readonly array: string }) {
  const about = useEngine("plane.about", { set, array }).data;
  const words = [about?.title, about?.units === undefined ? undefined : shownUnits(about.units)];
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
