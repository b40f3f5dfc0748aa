/** An array of both sets under one cursor: A, B and A − B as maps, both as series, and the values at the point. */
import { useMemo, useRef, useState } from "react";
import { isNorthLast } from "#core/cf/axis.ts";
import { chunkAlong } from "#core/metadata/chunk-grid.ts";
import { cutPlane } from "#core/plane/plane-difference.ts";
import { type ChunkLook, countLooks, emptyPlane, type PlaneValues } from "#core/plane/plane-values.ts";
import type { ArrayValues } from "#core/set-differences.ts";
import { valueText } from "#core/values/value-text.ts";
import { amount } from "#core/words/set-differences-words.ts";
import { useActions, useEngine } from "#store/react.tsx";
import { CellMap, type CellMapProps } from "#widgets/cell-map/CellMap.tsx";
import type { CellScale } from "#widgets/cell-map/camera.ts";
import { DimensionSlider } from "#widgets/cell-map/Dimensions.tsx";
import { coordinatesAt, firstPlane, sidesOf, slidDimensions } from "#widgets/cell-map/plane.ts";
import { useCellMap } from "#widgets/cell-map/use-cell-map.ts";
import { ZoomButtons } from "#widgets/cell-map/ZoomButtons.tsx";
import { Button } from "#widgets/controls/Button.tsx";
import { DefinitionList } from "#widgets/DefinitionList.tsx";
import { formatBytes } from "#widgets/number-format.ts";
import { placeText } from "#widgets/plane/axis-words.ts";
import { type ColourRange, colourRange } from "#widgets/plane/colour-range.ts";
import { type PaintedSquares, planePicture, shownRow } from "#widgets/plane/plane-picture.ts";
import { LinePlot } from "#widgets/plot/LinePlot.tsx";
import { Section } from "#widgets/Section.tsx";
import { colormapGradient, type Colormap } from "#widgets/values/colormap.ts";
import { dimensionName } from "#widgets/zarr-words.ts";
import styles from "./ComparePanel.module.css";
import { type SharedArray, useComparedPlanes } from "./use-compared-planes.ts";

interface MapsProps {
  readonly array: SharedArray;
  /** Its values as they were compared. */
  readonly result: ArrayValues | undefined;
}

type Looked = ReturnType<typeof useLooked>;
interface InMaps {
  readonly looked: Looked;
}

export function ComparedMaps(props: MapsProps) {
  const looked = useLooked(props);
  const { plane, planes, series, along, slid } = looked;
  const cost = planes.cost ?? series.cost;
  return (
    <>
      {planes.isApart ? <p className="quiet">B has no such slice, or it cannot be subtracted.</p> : null}
      {cost === undefined ? null : <Button onClick={looked.allow}>Read both · {formatBytes(cost)}</Button>}
      {plane.row === undefined ? null : <Maps looked={looked} />}
      {slid.map((dimension) => (
        <Step key={dimension} {...{ looked, dimension }} />
      ))}
      <div className={styles.below}>
        {along === undefined ? null : <BothAlong {...{ looked, along }} />}
        <Point looked={looked} />
      </div>
    </>
  );
}

/** The element that is looked at: the one with the largest difference until another is chosen. */
function useLooked({ array, result }: MapsProps) {
  const { set, a, scaled } = array;
  const { shape, path } = a;
  const [chosen, go] = useState<readonly number[]>();
  const [allowed, setAllowed] = useState(false);
  const at = chosen ?? result?.elements?.largest?.element ?? shape.map((length) => Math.floor(length / 2));
  const plane = firstPlane(shape, at);
  const isMap = plane.row !== undefined;
  const slid = slidDimensions(shape, [plane.row, plane.column]);
  const along = isMap ? slid[0] : plane.column;
  const planes = useComparedPlanes(array, isMap ? plane : undefined, "compare map", allowed);
  const line = along === undefined ? undefined : { row: undefined, column: along, at };
  const series = useComparedPlanes(array, line, "compare series", allowed);
  const about = useEngine("plane.about", { set: set.id, array: path }).data;
  const asked = (dimension: number | undefined) =>
    dimension === undefined ? undefined : { set: set.id, array: path, dimension };
  const axes = new Map([
    [along, useEngine("plane.axis", asked(along), `${path} along`).data],
    [plane.column, useEngine("plane.axis", asked(plane.column), `${path} across`).data],
    [plane.row, useEngine("plane.axis", asked(plane.row), `${path} down`).data],
  ]);
  // A difference is no date: it is in the unit in which A counts.
  const units = scaled ? (about?.scaling?.time?.units ?? about?.units) : undefined;
  const name = (dimension: number) => dimensionName(a.dimensionNames, dimension);
  const state = { array, result, at, plane, along, slid, planes, series, go, name };
  return {
    ...state,
    isTurned: isNorthLast(axes.get(plane.row)),
    allow: () => setAllowed(true),
    move: (dimension: number, to: number) => go(at.map((one, each) => (each === dimension ? to : one))),
    label: (value: number, digits = 7) => (Number.isNaN(value) ? "missing" : valueText(value, about, scaled, digits)),
    difference: (value: number) => (Number.isNaN(value) ? "–" : amount(value, units, true)),
    place: (dimension: number): string => {
      const [axis, place] = [axes.get(dimension), at[dimension] ?? 0];
      return axis?.values === undefined ? `${name(dimension)} ${place}` : placeText(axis, place);
    },
  };
}

// Maps.

const FILL: CellScale = { maxFitted: 4096, max: 120, minSide: 24, aspect: "fill" };

function Maps({ looked }: InMaps) {
  const { array, plane, planes, isTurned, go, label, difference } = looked;
  const { extent } = planes.request;
  const { row, column } = sidesOf(plane, plane.at);
  const cursorRow = shownRow(isTurned, extent, row);
  const cursor = useMemo(() => ({ row: cursorRow, column }), [cursorRow, column]);
  const [focused, onFocus] = useState(false);
  const map = useCellMap({ extent, axes: undefined, scale: FILL, cursor, subject: `${plane.row} ${plane.column}` });
  const marks = useMemo(() => [{ place: cursor, token: focused ? "--focus" : "--ink" } as const], [cursor, focused]);
  const frames = [map.frame, useRef<HTMLDivElement>(null), useRef<HTMLDivElement>(null)];
  const moveTo = (to: typeof cursor) =>
    go(coordinatesAt(plane, { row: shownRow(isTurned, extent, to.row), column: to.column }));
  const { a, b, difference: apart } = planes;
  const range = useMemo(() => {
    const ends = [a?.minimum, a?.maximum, b?.minimum, b?.maximum].filter((end) => end !== undefined);
    return ends.length === 0
      ? undefined
      : { minimum: Math.min(...ends), maximum: Math.max(...ends), logarithmic: false };
  }, [a, b]);
  const own = useMemo(() => apart && colourRange({ mode: "symmetric", logarithmic: false }, apart), [apart]);
  const value = { range, colormap: "viridis", ends: (end: number) => label(end, 4) } as const;
  const white = "same within tolerance is white";
  const shown = [
    { name: "A", detail: array.set.name, values: a, ...value },
    { name: "B", detail: array.other.name, values: b, ...value },
    { name: "A − B", detail: white, values: apart, range: own, colormap: "blue–red", ends: difference },
  ] as const;
  return (
    <div className={styles.maps}>
      {shown.map(({ name, detail, values, range, colormap, ends }, each) => (
        <figure key={name} className="stack gap-4 narrow">
          <figcaption className="cut" title={detail}>
            <b>{name}</b> <span className="quiet fine">{detail}</span>
          </figcaption>
          <OneMap
            {...{ looked, name, values, range, colormap, cursor, marks, moveTo, onFocus }}
            map={{ ...map, frame: frames[each] ?? map.frame }}
          />
          <div className={styles.ramp} style={{ background: colormapGradient(colormap) }} />
          <div className="flex spread fine quiet tabular">
            <span>{range && ends(range.minimum)}</span>
            <span>{range && ends(range.maximum)}</span>
          </div>
        </figure>
      ))}
      {map.zoomed ? <ZoomButtons {...map} label="Zoom" all="Show the whole slice" /> : null}
    </div>
  );
}

interface OneMapProps extends InMaps, Pick<CellMapProps, "map" | "cursor" | "marks" | "onFocus"> {
  readonly name: string;
  readonly values: PlaneValues | undefined;
  readonly range: ColourRange | undefined;
  readonly colormap: Colormap;
  readonly moveTo: CellMapProps["onCursor"];
}

function OneMap({ looked, name, values, range, colormap, moveTo, ...props }: OneMapProps) {
  const { isTurned, planes } = looked;
  const { request } = planes;
  const [painted] = useState((): PaintedSquares => new Map());
  const picture = useMemo(() => {
    const { chunks, extent } = request;
    const plane = values ?? emptyPlane(chunks.rows * chunks.columns);
    const { side } = cutPlane(plane, request);
    const look = { plane, extent, isTurned, chunks, side, range, colormap, edges: false, lines: undefined };
    return planePicture(look, painted);
  }, [values, request, isTurned, range, colormap, painted]);
  return (
    <CellMap
      {...{ ...props, picture }}
      className={styles.map}
      label={`Map of ${name}`}
      roleDescription="slice of an array: arrow keys move, plus and minus zoom"
      data={{ "data-read": countLooks(values?.looks ?? [], "read") }}
      onCursor={moveTo}
      onClick={moveTo}
      onHover={() => undefined}
    />
  );
}

// Steps, series and the point.

/** Place in all dimensions but one, those of the map first. */
function places({ at, plane, place }: Looked, without?: number): string {
  const order = [plane.row, plane.column, ...at.keys()].filter((one) => one !== undefined && one !== without);
  return [...new Set(order)].map((one) => place(one ?? 0)).join(" ");
}

/** Runs of steps that are written. */
const MOST_RUNS = 8;

/** The scale of a dimension; of the first one with the steps at which some differ. */
function Step({ looked, dimension }: InMaps & { readonly dimension: number }) {
  const { array, result, at, along, place, move, name } = looked;
  const runs = dimension === 0 ? (result?.elements?.steps?.runs ?? []) : [];
  const told = runs.slice(0, MOST_RUNS).map(([from, to]) => (from === to ? from : `${from}–${to}`));
  const differs = runs.length === 0 ? "" : ` · differs at ${told.join(", ")}${runs.length > MOST_RUNS ? " …" : ""}`;
  const text = dimension === along ? place(dimension) : "";
  return (
    <DimensionSlider
      name={name(dimension)}
      count={array.a.shape[dimension] ?? 1}
      at={at[dimension] ?? 0}
      onAt={(next) => move(dimension, next)}
      note={`${text}${differs}`}
      valueText={text || String(at[dimension])}
    />
  );
}

function BothAlong({ looked, along }: InMaps & { readonly along: number }) {
  const { series, at, move, name } = looked;
  const [title, step] = [`Both along ${name(along)}`, series.a?.steps.across ?? 1];
  const where = places(looked, along);
  return (
    <Section title={title} aside={`${where}${where === "" ? "" : " · "}solid A, dashed B`}>
      {series.a === undefined ? null : (
        <LinePlot
          label={title}
          describedBy="compared-point"
          values={series.a.values}
          other={series.b?.values}
          cursor={Math.floor((at[along] ?? 0) / step)}
          onCursor={(index) => move(along, index * step)}
          onHover={() => undefined}
          height={110}
        />
      )}
    </Section>
  );
}

const LOOKS = { unread: "not read", missing: "no chunk", failed: "could not be read", unreached: "out of reach" };

function Point({ looked }: InMaps) {
  const { array, planes, series, plane, at, label, difference } = looked;
  const actions = useActions();
  const { request, a, b, lookOfB } = plane.row === undefined ? series : planes;
  const { row, column } = sidesOf(request.plane, at);
  const { side, chunks } = cutPlane(a, request);
  const chunk = chunkAlong(side.down, row) * chunks.columns + chunkAlong(side.across, column);
  const of = ({ values, columns, steps }: PlaneValues) =>
    values[Math.floor(row / steps.down) * columns + Math.floor(column / steps.across)] ?? Number.NaN;
  const words = (shown: PlaneValues | undefined, look: ChunkLook = "unread") => {
    return shown === undefined || look !== "read" ? LOOKS[look === "read" ? "unread" : look] : label(of(shown));
  };
  const apart = a === undefined || b === undefined ? Number.NaN : of(a) - of(b);
  const show = () => {
    const node = array.set.nodes.find(({ path }) => path === array.a.path);
    actions.selectNode(array.a.path);
    if (node !== undefined) actions.goToPlace(node, new Map(at.entries()));
    actions.showView("data");
  };
  const items = [
    { term: "A", description: words(a, a?.looks[chunk]) },
    { term: "B", description: words(b, lookOfB(row, column)) },
    { term: "A − B", description: difference(apart) },
  ];
  return (
    <Section title="This point" aside={places(looked)}>
      <div id="compared-point" role="status">
        <DefinitionList items={items} />
      </div>
      <p>
        <Button onClick={show}>Show in Data</Button>
      </p>
    </Section>
  );
}
