/** What was read of the slice, and how it is shown. */
import type { NodeSummary } from "../../core/open-set.ts";
import { useState } from "react";
import { InBar } from "../../widgets/view-bar.tsx";
import { Popover } from "../../widgets/Popover.tsx";
import { Segmented } from "../../widgets/Segmented.tsx";
import { countOf, formatCount } from "../../widgets/number-format.ts";
import type { Axes } from "./use-axes.ts";
import { ordinal } from "../../core/number-text.ts";
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

/** In the bar above the view. */
export function DataBar(props: DataBarProps) {
  const { view, change, leave, progress, request, toolsRef } = props;
  return (
    <>
      <InBar part="facts">
        <p className={styles.facts} aria-live="polite">
          <ReadSoFar {...{ progress, request }} />
        </p>
      </InBar>
      <InBar part="tools">
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
        <span ref={toolsRef} className={styles.tools} />
      </InBar>
      {leave.kind === "costly" ? (
        <Offer key={leave.slice} {...{ leave, change }} hasMore={request.shape.length > 2} />
      ) : null}
    </>
  );
}

/** What may be switched on and off in a picture; north only where there is one. */
function Display({ view, change, axes }: DataBarProps) {
  const { row, column } = view.plane;
  if (row === undefined || column === undefined) return null;
  const [down, across] = [axes(row), axes(column)];
  const isMap = down?.role === "latitude" && across?.role === "longitude";
  return (
    <Popover label="Display" title="How the slice is shown" align="end">
      <div className={styles.display}>
        <Switch label="Chunk edges" on={view.edges} onChange={(edges) => change({ edges })} />
        <Switch
          label="File edges"
          title="Thick lines where chunks of different files meet"
          on={view.fileEdges}
          onChange={(fileEdges) => change({ fileEdges })}
        />
        {isMap && isNorthLast(down) ? (
          <Switch label="North up" on={view.northUp} onChange={(northUp) => change({ northUp })} />
        ) : null}
        <Switch label="Square cells" on={view.equalAspect} onChange={(equalAspect) => change({ equalAspect })} />
      </div>
    </Popover>
  );
}

interface SwitchProps {
  readonly label: string;
  readonly title?: string;
  readonly on: boolean;
  readonly onChange: (on: boolean) => void;
}

function Switch({ label, title, on, onChange }: SwitchProps) {
  return (
    <label className={styles.switch} title={title}>
      <input type="checkbox" checked={on} onChange={({ target }) => onChange(target.checked)} /> {label}
    </label>
  );
}

interface OfferProps extends Pick<DataBarProps, "change"> {
  readonly leave: Extract<Leave, { kind: "costly" }>;
  /** There are other slices. */
  readonly hasMore: boolean;
}

/** What is asked for holds for this slice alone, unless it is said to hold for those after it. */
function Offer({ leave: { cost, slice }, change, hasMore }: OfferProps) {
  const [onward, setOnward] = useState(false);
  const every = freeStride(cost);
  return (
    <div className={styles.offer}>
      <p>{costText(cost)}</p>
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
