/** The slice as a picture: moved in, pointed at, clicked. */
import { useEffect, useId, useState } from "react";
import { reasonWords } from "#core/findings/explained.ts";
import type { Finding } from "#core/findings/finding.ts";
import type { Coasts } from "#widgets/cell-map/coast-lines.ts";
import { type ChunkLook, countLooks, type PlaneValues } from "#core/plane/plane-values.ts";
import { useActions, useSend } from "#store/react.tsx";
import { CellMap } from "#widgets/cell-map/CellMap.tsx";
import { ZoomButtons } from "#widgets/cell-map/ZoomButtons.tsx";
import { boxOf, type CellPlace } from "#widgets/cell-map/camera.ts";
import { cornerOf } from "#widgets/cell-map/draw-map.ts";
import { paintValues } from "#widgets/cell-map/paint-values.ts";
import { withDimension } from "#widgets/cell-map/plane.ts";
import type { CellMapState } from "#widgets/cell-map/use-cell-map.ts";
import { type Colormap, colormapTable } from "#widgets/values/colormap.ts";
import { dimensionName } from "#widgets/zarr-words.ts";
import { formatBytes, formatCount } from "#widgets/number-format.ts";
import { keepPixels, thumbnailValues } from "#widgets/values/thumbnails.ts";
import { useDelayed } from "#widgets/hooks.ts";
import { useExplain } from "#widgets/notes/Notices.tsx";
import { Button } from "#widgets/controls/Button.tsx";
import styles from "./DataPanel.module.css";
import { FigureTools, PlaneReadout, PointTag } from "./PointTag.tsx";
import { Retry, WithoutValues } from "./FailedSpans.tsx";
import { type PictureChoice, SaveMenu } from "./SaveMenu.tsx";
import { planeSlide, slideWords } from "./slide.ts";
import { type ColourRange, shareOf } from "#widgets/plane/colour-range.ts";
import { type PlaneLook, windowOf } from "#widgets/plane/plane-picture.ts";
import { type ArrayShown, useShown } from "./shown-array.ts";
import { useChunkRaster, usePlaneMap, useSeen } from "./use-plane-map.ts";
import type { ChunkPlace, PlaneProgress } from "#store/hooks/use-plane-values.ts";

export function PlaneFigure() {
  const shown = useShown();
  const actions = useActions();
  const send = useSend();
  const { set, node, request, progress } = shown;
  const readout = useId();
  const [hovered, setHovered] = useState<CellPlace>();
  const [focused, setFocused] = useState(false);
  const { map, look, cursor, elementOf, picture, coasts, marks, chunkOf, moveTo, select } = usePlaneMap(focused);
  const save = usePictureFile(shown, map, look, coasts);
  useSeen(map, request, look, shown.see);
  useSliceThumbnail(set.id, node.path, look, progress);
  useNotePainted(node.path, request.scaled, look);
  const cards = failedCards(look, map);
  return (
    <div className={styles.stage}>
      <CellMap
        map={map}
        label="Data"
        roleDescription="slice of an array: arrow keys move, Enter selects the chunk, plus and minus zoom"
        describedBy={readout}
        data={{ ...readCounts(progress), "data-coasts": coasts === undefined ? 0 : 1 }}
        className={styles.figure}
        picture={picture}
        marks={marks}
        coasts={coasts}
        cursor={cursor}
        onCursor={moveTo}
        onHover={setHovered}
        onFocus={setFocused}
        onClick={select}
        onOpen={select}
      />
      <SideNames band={map.axes?.below?.left} />
      <TileLabels
        {...{ look, map, cards }}
        onWhy={(at) => {
          const { row, column } = chunkPlace(look, at);
          actions.selectChunk(node.path, request.chunks.at(row, column));
          send({ kind: "show-why" });
        }}
      />
      <Pointed {...{ map, cards, cursor, hovered, focused, readout, elementOf, chunkOf }} />
      <FigureTools>
        <SaveMenu picture={save} />
        <ZoomButtons {...map} label="Zoom" all="Show the whole slice" />
      </FigureTools>
    </div>
  );
}

interface PointedProps extends Pick<ReturnType<typeof usePlaneMap>, "map" | "cursor" | "elementOf" | "chunkOf"> {
  readonly cards: readonly FailedCard[];
  readonly hovered: CellPlace | undefined;
  readonly focused: boolean;
  /** Id of what is said. */
  readonly readout: string;
}

/** The element under the pointer, else at the cursor once it was placed. */
function Pointed({ map, cards, cursor, hovered, focused, readout, elementOf, chunkOf }: PointedProps) {
  const hasCursor = useShown().isPointed || focused;
  const looked = hovered ?? cursor;
  const chunk = chunkOf(looked);
  // A card's text is not repeated.
  const isSaid = cards.some(({ at }) => at === chunk);
  return (
    <PointTag
      map={map}
      cursor={hasCursor ? cursor : undefined}
      looked={(hasCursor || hovered !== undefined) && !isSaid ? looked : undefined}
      focused={focused}
      avoid={cards.map(({ box }) => box)}
    >
      <PlaneReadout id={readout} element={elementOf(looked)} chunk={chunk} spoken={focused && hovered === undefined} />
    </PointTag>
  );
}

/** Chunks of the slice by what reading them gave, for those who look at the page by script. */
export function readCounts({ isOld, shown }: PlaneProgress) {
  const of = (look: ChunkLook) => (isOld || shown === undefined ? 0 : countLooks(shown.looks, look));
  return {
    "data-read": of("read"),
    "data-failed": of("failed"),
    "data-missing": of("missing"),
    "data-unreached": of("unreached"),
  };
}

/** Draws the picture for a file: what is seen of the slice, with its name, places, axes and colours. */
function usePictureFile(shown: ArrayShown, { frame, view, axes }: CellMapState, look: PlaneLook, coasts?: Coasts) {
  const { node, plane, colours } = shown;
  const name = (dimension = 0) => dimensionName(node.dimensionNames, dimension);
  return ({ ratio, edges, smooth }: PictureChoice): SVGElement => {
    if (frame.current === null || axes === undefined) throw new Error("The slice is not visible.");
    const { classes, hint } = colours;
    return planeSlide(
      {
        look: { ...look, edges, smooth: smooth && classes === undefined, ...(edges ? {} : { lines: undefined }) },
        view,
        axes,
        coasts,
        frame: frame.current,
        names: [name(plane.column), name(plane.row)],
        meanings: classes !== undefined && hint?.kind === "flags" ? hint.meanings : undefined,
      },
      slideWords(shown, [plane.row, plane.column]),
      ratio,
    );
  };
}

const NAME_AT_MOST = 104;

// Which dimension runs down and which across: their names stand where their axes end, and are choices.

function SideNames({ band }: { readonly band: number | undefined }) {
  const { node, plane, go } = useShown();
  const counts = node.shape ?? [];
  const name = (dimension: number) => dimensionName(node.dimensionNames, dimension);
  return (["row", "column"] as const).map((side) => {
    const chosen = plane[side];
    if (chosen === undefined) return null;
    const words = `${name(chosen)}, ${formatCount(counts[chosen] ?? 0)} long`;
    return (
      <span
        key={side}
        className={styles.sideName}
        data-side={side}
        style={side === "row" ? { width: band } : { maxWidth: NAME_AT_MOST }}
        title={`${side === "row" ? "Down" : "Across"}: ${words}`}
      >
        <span className="narrow cut" aria-hidden="true">
          {name(chosen)}
        </span>
        <select
          aria-label={side === "row" ? "Rows" : "Columns"}
          value={chosen}
          onChange={({ target }) => go.turn(withDimension(plane, side, Number(target.value)))}
        >
          {counts.map((_, dimension) => (
            // oxlint-disable-next-line react/no-array-index-key -- a dimension is its place
            <option key={dimension} value={dimension}>
              {name(dimension)}
            </option>
          ))}
        </select>
      </span>
    );
  });
}

// A slice as the small picture that stands beside the array's name.

/** Four bytes a pixel, each the value nearest to it; transparent where there is none. */
export function thumbnailOf(
  plane: PlaneValues,
  range: ColourRange,
  colormap: Colormap,
  isTurned: boolean,
): Uint8ClampedArray<ArrayBuffer> {
  const shares = thumbnailValues(plane, isTurned).map((value) =>
    Number.isFinite(value) ? shareOf(range, value) : Number.NaN,
  );
  return paintValues(shares, { minimum: 0, maximum: 1 }, colormapTable(colormap)).pixels;
}

/** Milliseconds that a slice stays before it is kept: while the slider goes on none is. */
const REST = 300;

/** Kept once all of the slice was read, and it is looked at. */
function useSliceThumbnail(set: number, path: string, look: PlaneLook, progress: PlaneProgress): void {
  const { plane, range, colormap, isTurned } = look;
  const isWhole = !progress.isOld && progress.wanted > 0 && progress.done === progress.wanted;
  useDelayed(look, isWhole && plane.values.length > 0 ? REST : undefined, () => {
    if (range !== undefined) keepPixels(set, path, thumbnailOf(plane, range, colormap, isTurned));
  });
}

/** Tells the Chunk region the painting, so that it paints alike. */
function useNotePainted(array: string, scaled: boolean, { range, colormap, isTurned }: PlaneLook): void {
  const { notePainted } = useActions();
  const { minimum, maximum, logarithmic } = range ?? {};
  useEffect(() => {
    if (minimum === undefined || maximum === undefined || logarithmic === undefined) return;
    notePainted({ array, scaled, colormap, range: { minimum, maximum, logarithmic }, isTurned });
  }, [notePainted, array, scaled, colormap, isTurned, minimum, maximum, logarithmic]);
}

// On chunks that have no values: which failed and why, what reading one takes. As far as there is room.

interface TileLabelsProps {
  readonly look: PlaneLook;
  readonly map: CellMapState;
  readonly cards: readonly FailedCard[];
  /** Called with a place among the chunks of the plane. */
  readonly onWhy: (at: number) => void;
}

/** More would cover the picture; all are crossed or dotted, and named when they are pointed at. */
const MAX_LABELS = 24;
const LEAST = { width: 112, height: 34 };
const LEAST_FAILED = 160;
const LEAST_WITH_NAME = 190;
const LEAST_WITH_REASON = 250;

function TileLabels({ look, map, cards, onWhy }: TileLabelsProps) {
  const { request, progress } = useShown();
  const { plane } = look;
  // While chunks arrive, the missing ones are still being read.
  const isResting = !progress.isOld && progress.done === progress.wanted;
  const unread = isResting ? plane.looks.flatMap((one, at) => (one === "unread" ? [at] : [])) : [];
  const lengths = useChunkRaster(request, "length", unread.length > 0);
  const place = (at: number) => reasonPlace(look, map, at);
  return (
    <>
      {cards.map(({ at, name, error, style, width }) => (
        <div key={at} className={styles.label} style={style}>
          <WithoutValues name={name} error={error} />
          {width >= LEAST_WITH_REASON ? <Reason error={error} /> : null}
          {width >= LEAST_WITH_REASON ? <Retry error={error} /> : null}
          <Button onClick={() => onWhy(at)}>Why</Button>
        </div>
      ))}
      {labelsOf(unread, place).map(({ at, name, style, width }) => (
        <div key={at} className={styles.label} style={style}>
          {width >= LEAST_WITH_NAME ? (
            <span>
              <b>{name}</b> not read
            </span>
          ) : null}
          <Button
            aria-label={`Read ${name}${sizeText(lengths?.[at])}`}
            onClick={() => progress.readOne(chunkPlace(look, at))}
          >
            Read{sizeText(lengths?.[at])}
          </Button>
        </div>
      ))}
    </>
  );
}

/** Chunks of which a card says that they failed, and about where it stands in the figure. */
function failedCards(look: PlaneLook, map: CellMapState) {
  const cards = [...look.plane.failed].flatMap(([at, error]) => {
    const label = reasonPlace(look, map, at);
    if (label === undefined || label.width < LEAST_FAILED) return [];
    const { left, top, maxWidth } = label.style;
    const width = Math.min(maxWidth, label.width < LEAST_WITH_REASON ? 170 : CARD.width);
    return [{ ...label, error, box: { x: left - width / 2, y: top - CARD.height / 2, width, height: CARD.height } }];
  });
  return cards.slice(0, MAX_LABELS);
}

const CARD = { width: 330, height: 36 };

type FailedCard = ReturnType<typeof failedCards>[number];

const sizeText = (length: number | undefined) => (length === undefined || length < 0 ? "" : ` ${formatBytes(length)}`);

const chunkPlace = ({ chunks }: PlaneLook, at: number): ChunkPlace => ({
  row: Math.floor(at / chunks.columns),
  column: at % chunks.columns,
});

type Label = NonNullable<ReturnType<typeof reasonPlace>>;

function labelsOf(places: readonly number[], place: (at: number) => Label | undefined): readonly Label[] {
  const labels: Label[] = [];
  for (const at of places) {
    const label = place(at);
    if (label !== undefined) labels.push(label);
    if (labels.length === MAX_LABELS) break;
  }
  return labels;
}

/** Middle of the visible part of the chunk; `undefined` if there is no room. */
function reasonPlace(look: PlaneLook, { view, axes }: CellMapState, at: number) {
  const corner = cornerOf(axes);
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

/** Reason in a few words; in full when pointed at. */
function Reason({ error }: { readonly error: Finding }) {
  const explain = useExplain();
  return <span title={explain?.(error).message}>{reasonWords(error, explain)}</span>;
}
