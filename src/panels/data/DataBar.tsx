/** What was read of the slice, and how it is shown. */
import type { NodeSummary } from "../../core/open-set.ts";
import type { PlaneCost } from "../../core/plane.ts";
import { InBar } from "../../widgets/view-bar.tsx";
import { Popover } from "../../widgets/Popover.tsx";
import { Segmented } from "../../widgets/Segmented.tsx";
import { countOf, formatCount } from "../../widgets/number-format.ts";
import { SideSelects } from "../../widgets/cell-map/Dimensions.tsx";
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
}

/** In the bar above the view. */
export function DataBar(props: DataBarProps) {
  const { view, change, cost, mayRead, progress, request } = props;
  return (
    <>
      <InBar part="facts">
        <p className={styles.facts} aria-live="polite">
          {mayRead || cost === undefined ? <ReadSoFar {...{ progress, request }} /> : costText(cost)}
        </p>
      </InBar>
      <InBar part="tools">
        {!mayRead && cost !== undefined ? <CostButtons {...{ cost, change }} /> : null}
        <Segmented
          label="Values"
          value={view.scaled ? "cf" : "raw"}
          options={[
            { value: "cf", text: "CF", title: "As xarray decodes them: scaled, missing values left out" },
            { value: "raw", text: "Raw", title: "As they are stored" },
          ]}
          onValue={(value) => change({ scaled: value === "cf" })}
        />
        <Display {...props} />
      </InBar>
    </>
  );
}

/** Which dimensions are shown, and how; north only where there is one. */
function Display({ node, view, change, axes, request }: DataBarProps) {
  const { row, column } = view.plane;
  if (row === undefined || column === undefined) return null;
  const [down, across] = [axes(row), axes(column)];
  const isMap = down?.role === "latitude" && across?.role === "longitude";
  return (
    <Popover label="Display" title="How the slice is shown" align="end">
      <div className={styles.display}>
        {request.shape.length < 3 ? null : (
          <SideSelects
            names={node.dimensionNames}
            counts={request.shape}
            plane={view.plane}
            onPlane={(plane) => change({ plane, every: undefined })}
            className={styles.choice}
          />
        )}
        <Switch label="Chunk edges" on={view.edges} onChange={(edges) => change({ edges })} />
        {isMap && !isFalling(down.values) ? (
          <Switch label="North up" on={view.northUp} onChange={(northUp) => change({ northUp })} />
        ) : null}
        <Switch label="Square cells" on={view.equalAspect} onChange={(equalAspect) => change({ equalAspect })} />
      </div>
    </Popover>
  );
}

interface SwitchProps {
  readonly label: string;
  readonly on: boolean;
  readonly onChange: (on: boolean) => void;
}

function Switch({ label, on, onChange }: SwitchProps) {
  return (
    <label className={styles.switch}>
      <input type="checkbox" checked={on} onChange={({ target }) => onChange(target.checked)} /> {label}
    </label>
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
