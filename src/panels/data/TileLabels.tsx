/** On chunks that have no values: which failed and why, what reading one takes. As far as there is room. */
import type { Finding } from "../../core/findings/finding.ts";
import { boxOf, type CellView, type Point } from "../../widgets/cell-map/camera.ts";
import { formatBytes } from "../../widgets/number-format.ts";
import { useExplain } from "../../widgets/use-explain.ts";
import { windowOf, type PlaneLook } from "./plane-picture.ts";
import { useChunkRaster } from "./use-chunk-raster.ts";
import type { ChunkPlace, PlaneProgress, PlaneRequest } from "./use-plane-values.ts";
import styles from "./DataPanel.module.css";

interface TileLabelsProps {
  readonly look: PlaneLook;
  readonly view: CellView;
  /** Of the cells in the figure. */
  readonly corner: Point;
  readonly request: PlaneRequest;
  readonly progress: PlaneProgress;
  /** By place among the chunks of the plane. */
  readonly onWhy: (at: number) => void;
}

/** More would cover the picture; all are crossed or dotted, and named when they are pointed at. */
const MAX_LABELS = 24;
const LEAST = { width: 112, height: 34 };
const LEAST_FAILED = 160;
const LEAST_WITH_NAME = 190;
const LEAST_WITH_REASON = 250;

export function TileLabels({ look, view, corner, request, progress, onWhy }: TileLabelsProps) {
  const { plane } = look;
  // While chunks come in, those that have not come are on their way.
  const isResting = !progress.isOld && progress.done === progress.wanted;
  const unread = isResting ? plane.looks.flatMap((one, at) => (one === "unread" ? [at] : [])) : [];
  const lengths = useChunkRaster(request, "length", unread.length > 0);
  const place = (at: number) => placeOf(look, view, corner, at);
  const failed = [...plane.failed].flatMap(([at, error]) => {
    const label = place(at);
    return label === undefined || label.width < LEAST_FAILED ? [] : [{ ...label, error }];
  });
  return (
    <>
      {failed.slice(0, MAX_LABELS).map(({ at, name, error, style, width }) => (
        <div key={at} className={styles.label} style={style}>
          <i aria-hidden="true">✕</i>
          <b>{name} failed</b>
          {width >= LEAST_WITH_REASON ? <Reason error={error} /> : null}
          <button type="button" onClick={() => onWhy(at)}>
            Why
          </button>
        </div>
      ))}
      {labelsOf(unread, place).map(({ at, name, style, width }) => (
        <div key={at} className={styles.label} style={style}>
          {width >= LEAST_WITH_NAME ? (
            <span>
              <b>{name}</b> not read
            </span>
          ) : null}
          <button
            type="button"
            aria-label={`Read ${name}${sizeText(lengths?.[at])}`}
            onClick={() => progress.readOne(chunkPlace(look, at))}
          >
            Read{sizeText(lengths?.[at])}
          </button>
        </div>
      ))}
    </>
  );
}

const sizeText = (length: number | undefined) => (length === undefined || length < 0 ? "" : ` ${formatBytes(length)}`);

const chunkPlace = ({ chunks }: PlaneLook, at: number): ChunkPlace => ({
  row: Math.floor(at / chunks.columns),
  column: at % chunks.columns,
});

type Label = NonNullable<ReturnType<typeof placeOf>>;

function labelsOf(places: readonly number[], place: (at: number) => Label | undefined): readonly Label[] {
  const labels: Label[] = [];
  for (const at of places) {
    const label = place(at);
    if (label !== undefined) labels.push(label);
    if (labels.length === MAX_LABELS) break;
  }
  return labels;
}

/** In the middle of what is seen of the chunk; `undefined` where there is no room. */
function placeOf(look: PlaneLook, view: CellView, corner: Point, at: number) {
  const { x, y, width, height } = boxOf(view, windowOf(look, at));
  const left = Math.max(0, x);
  const right = Math.min(view.area.width, x + width);
  const top = Math.max(0, y);
  const bottom = Math.min(view.area.height, y + height);
  if (right - left < LEAST.width || bottom - top < LEAST.height) return undefined;
  const { row, column } = chunkPlace(look, at);
  const style = {
    left: corner.x + (left + right) / 2,
    top: corner.y + (top + bottom) / 2,
    maxWidth: right - left - 16,
  };
  return { at, name: look.chunks.at(row, column).join("."), style, width: right - left };
}

/** In a few words; in full where it is pointed at. */
function Reason({ error }: { readonly error: Finding }) {
  const said = useExplain()?.(error);
  return <span title={said?.message}>{said?.title.replace(/\.$/, "")}</span>;
}
