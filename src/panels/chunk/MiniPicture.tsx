import { useLayoutEffect, useMemo, useRef } from "react";
import type { Slice } from "../../core/open-set.ts";
import type { Reading } from "../../core/reading.ts";
import { useEngine } from "../../store/react.tsx";
import { colormapTable } from "../../widgets/colormap.ts";
import { paintValues, thinned } from "../../widgets/cell-map/paint-values.ts";
import { firstPlane } from "../../widgets/cell-map/plane.ts";
import { putPixels } from "../../widgets/cell-map/tile.ts";
import { lineShape } from "../../widgets/line-plot.ts";
import { mapSpec } from "./shown-dimensions.ts";
import { headTexts } from "./stage-words.ts";
import { shortNumber } from "./value-range.ts";
import { valueTabs } from "./value-tabs.ts";
import styles from "./TrialPanel.module.css";

/** A chunk at a glance: its first slice as a small map or line, or the first bytes where there are no numbers. */
export function MiniPicture({ set, reading }: { readonly set: number; readonly reading: Reading }) {
  const { values } = reading;
  const tabs = valueTabs(reading);
  const drawn = tabs.some(({ id }) => id === "map" || id === "line");
  const spec = drawn ? mapSpec(reading.id, firstPlane(values?.inside ?? []), false) : undefined;
  const { data, stale } = useEngine(
    "chunk.slice",
    spec === undefined ? undefined : { set, spec },
    `slice ${reading.id}`,
  );
  if (spec === undefined) return <FirstBytes reading={reading} />;
  if (data === undefined || stale) return <span className={styles.picture} />;
  if (data.minimum === undefined || data.maximum === undefined) return <span>no value</span>;
  return (
    <span className={styles.picture}>
      {data.rows > 1 ? <MiniMap slice={data} /> : <MiniLine slice={data} />}
      <small>
        {shortNumber(data.minimum)} to {shortNumber(data.maximum)}
      </small>
    </span>
  );
}

function MiniMap({ slice }: { readonly slice: Slice }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const drawn = useMemo(() => {
    const range = { minimum: slice.minimum ?? 0, maximum: slice.maximum ?? 0 };
    const { pixels } = paintValues(slice.values, range, colormapTable("viridis"));
    return thinned(pixels, { rows: slice.rows, columns: slice.columns }, 512);
  }, [slice]);
  useLayoutEffect(() => {
    if (canvas.current !== null) putPixels(canvas.current, { width: drawn.columns, height: drawn.rows }, drawn.pixels);
  }, [drawn]);
  return <canvas ref={canvas} className={styles.map} aria-hidden="true" />;
}

const LINE = { width: 120, height: 44 };

function MiniLine({ slice }: { readonly slice: Slice }) {
  const shape = useMemo(() => lineShape(slice.values, LINE), [slice]);
  return (
    <svg className={styles.line} viewBox={`-2 -2 ${LINE.width + 4} ${LINE.height + 4}`} aria-hidden="true">
      <path d={shape.line} />
    </svg>
  );
}

function FirstBytes({ reading }: { readonly reading: Reading }) {
  const stage = reading.stages.findLast(({ bytesOut }) => bytesOut !== undefined);
  if (stage?.head === undefined) return <span>no bytes</span>;
  const { hex, ascii } = headTexts(stage.head);
  return (
    <code className={styles.bytes} title={`The first bytes after ${stage.label}`}>
      {hex} <span>{ascii}</span>
    </code>
  );
}
