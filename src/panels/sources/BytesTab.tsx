/** The bytes of a target: what of them is referred to, as a strip and as a list; from byte to chunk. */
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import type { NodeSummary, SetSummary } from "../../core/open-set.ts";
import type { SourceByte, SourceDetail, SourceRange } from "../../core/check/sources.ts";
import { useActions, useEngine } from "../../store/react.tsx";
import { type AxesByArray, useAxesByArray } from "../../store/hooks/use-axes-by-array.ts";
import { OffsetField } from "../../widgets/controls/OffsetField.tsx";
import { ScaledRows, type ScaledRowsHandle } from "../../widgets/values/ScaledRows.tsx";
import { cssColour, distinctColour, readPalette, useThemeName } from "../../widgets/cell-map/palette.ts";
import { countOf, formatCount } from "../../widgets/number-format.ts";
import { movedRow } from "../../widgets/controls/roving.ts";
import type { RowRange } from "../../widgets/values/scaled-rows.ts";
import { ByteStrip } from "./ByteStrip.tsx";
import styles from "./BytesTab.module.css";
import rangeListStyles from "./RangeList.module.css";
import { arrayName, boxWords } from "./array-words.ts";
import { byteWords, rangeNotes, spanText } from "./source-words.ts";

export interface BytesTabProps {
  readonly set: SetSummary;
  readonly detail: SourceDetail;
  /** Place of the selected chunk's range; -1 where it has none. */
  readonly place: number;
}

export function BytesTab({ set, detail, place }: BytesTabProps) {
  const id = useId();
  const { target, ranges, extent } = detail;
  const at = useRangeCursor(set.id, detail, place);
  const openRange = useOpenRange(target);
  if (ranges === 0) return <p className={styles.none}>{noRanges(detail)}</p>;
  return (
    <div className={styles.tab}>
      <ByteStrip
        set={set.id}
        detail={detail}
        current={at.current}
        asked={at.byte === undefined ? undefined : { from: at.byte.byte, to: at.byte.byte + 1 }}
        describedBy={id}
        onByte={at.goToByte}
        onStep={at.step}
        onOpen={() => openRange(at.current)}
      >
        <OffsetField label="Go to byte" total={extent} onGo={at.goToByte} />
      </ByteStrip>
      <p id={id} role="status" className={styles.readout}>
        <Readout byte={at.byte} current={at.current} onOpen={openRange} />
      </p>
      <StripLegend detail={detail} />
      <RangeList set={set} detail={detail} place={at.place} onPlace={at.goTo} onOpen={openRange} />
    </div>
  );
}

const noRanges = ({ whole, empty }: SourceDetail): string =>
  whole > 0
    ? "All references use the whole file, so there are no ranges to show."
    : `Its ${empty === 1 ? "range has" : "ranges have"} no bytes.`;

/** The range that one is at, and the byte that was asked for. */
function useRangeCursor(set: number, { target, ranges }: SourceDetail, followed: number) {
  const [place, setPlace] = useState(Math.max(0, followed));
  const [asked, setAsked] = useState<number>();
  const [seen, setSeen] = useState(followed);
  if (seen !== followed) {
    setSeen(followed);
    setAsked(undefined);
    if (followed >= 0) setPlace(followed);
  }
  const found = useEngine("sources.byte", asked === undefined ? undefined : { set, target, byte: asked });
  const byte = found.data?.byte === asked ? found.data : undefined;
  const here = byte === undefined ? place : Math.max(0, byte.place);
  const known = useEngine("sources.ranges", { set, target, from: here, to: here + 1 }, `sources.at ${target}`);
  const current = known.last?.data.ranges[0];
  const goTo = (to: number) => {
    setAsked(undefined);
    setPlace(Math.max(0, Math.min(to, ranges - 1)));
  };
  return {
    place: here,
    byte,
    // A byte that nothing refers to is at no range.
    current: current?.place !== here || byte?.gap !== undefined ? undefined : current,
    goTo,
    goToByte: setAsked,
    step: (step: number | "first" | "last") => {
      if (step === "first") goTo(0);
      else if (step === "last") goTo(ranges - 1);
      // From bytes between two ranges the next one is a step away already.
      else goTo(here + step - (byte?.gap !== undefined && step > 0 && byte.place < ranges ? 1 : 0));
    },
  };
}

/** Selects the chunk of a range, and keeps the target that is looked at. */
function useOpenRange(target: string | null) {
  const actions = useActions();
  return (range: SourceRange | undefined) => {
    if (range?.array === undefined || range.coordinates === undefined) return;
    actions.noteTarget(target);
    actions.selectChunk(range.array, range.coordinates);
  };
}

interface ReadoutProps {
  readonly byte: SourceByte | undefined;
  readonly current: SourceRange | undefined;
  readonly onOpen: (range: SourceRange) => void;
}

const MAX_LINKS = 3;

function Readout({ byte, current, onOpen }: ReadoutProps) {
  if (byte === undefined && current === undefined) return null;
  const ranges = byte?.ranges.slice(0, MAX_LINKS) ?? (current === undefined ? [] : [current]);
  return (
    <>
      <span>{byte === undefined ? currentWords(current) : byteWords(byte)}</span>
      {ranges.map((range) =>
        range.coordinates === undefined ? (
          <span key={range.place}>{range.key} is no chunk of a grid.</span>
        ) : (
          <button key={range.place} type="button" data-kind="link" onClick={() => onOpen(range)}>
            Go to {range.key}
          </button>
        ),
      )}
    </>
  );
}

function currentWords(range: SourceRange | undefined): string {
  if (range === undefined) return "";
  return [`${range.key}: ${spanText(range.from, range.to)}`, ...rangeNotes(range)].join(" · ");
}

// What the strip's colours and hatches mean.

const MAX_ARRAYS = 6;

function StripLegend({ detail }: { readonly detail: SourceDetail }) {
  const { arrays, arrayCount, unclaimed, shared, overlapping, pastEnd } = detail;
  const more = arrayCount - Math.min(arrays.length, MAX_ARRAYS);
  return (
    <ul className={styles.legend} aria-label="Legend">
      {arrays.slice(0, MAX_ARRAYS).map(({ array }, at) => (
        <li key={array}>
          <Swatch number={at} />
          {arrayName(array)}
        </li>
      ))}
      {more > 0 ? <li>and {countOf(more, "more array")}</li> : null}
      {unclaimed > 0 ? <Sign look="bare">unreferenced</Sign> : null}
      {shared > 0 ? <Sign look="shared">the same range, more than once</Sign> : null}
      {overlapping > 0 ? <Sign look="overlap">ranges overlap</Sign> : null}
      {pastEnd > 0 ? <Sign look="past-end">past the end</Sign> : null}
    </ul>
  );
}

function Sign({ look, children }: { readonly look: string; readonly children: string }) {
  return (
    <li>
      <span className={styles.swatch} data-look={look} aria-hidden="true" />
      {children}
    </li>
  );
}

/** The colour that the strip gives to an array. */
function Swatch({ number }: { readonly number: number }) {
  const swatch = useRef<HTMLSpanElement>(null);
  useThemeName(); // redrawn with the theme
  useLayoutEffect(() => {
    const element = swatch.current;
    if (element !== null) element.style.backgroundColor = cssColour(distinctColour(readPalette(element), number));
  });
  return <span ref={swatch} className={styles.swatch} aria-hidden="true" />;
}

// The grid "Ranges": the ranges of a target in the order of their bytes, by the window in sight.

interface RangeListProps {
  readonly set: SetSummary;
  readonly detail: SourceDetail;
  readonly place: number;
  readonly onPlace: (place: number) => void;
  readonly onOpen: (range: SourceRange | undefined) => void;
}

const ROW_HEIGHT = 26;
const HEAD_HEIGHT = 29;
const LEAST_WIDTH = 640;
const STEP = 100;
const COLUMNS = ["Offset", "Length", "Chunk", "Where", "Notes"] as const;

function RangeList({ set, detail, place, onPlace, onOpen }: RangeListProps) {
  const id = useId();
  const list = useRef<ScaledRowsHandle>(null);
  const { at, want } = useWindow(set.id, detail);
  const onSeen = useInSight(list, place, want);
  const axes = useAxesByArray(
    set.id,
    detail.arrays.map(({ array }) => array),
  );
  const handlers = useHandlers({ detail, place, onPlace, onOpen, at, list });
  return (
    <div className={rangeListStyles.list}>
      <ScaledRows
        handle={list}
        rows={detail.ranges}
        rowHeight={ROW_HEIGHT}
        headHeight={HEAD_HEIGHT}
        width={LEAST_WIDTH}
        onSeen={onSeen}
        head={<Head />}
        renderRow={(index, top) => (
          <Row key={index} id={`${id}-${index}`} index={index} top={top} selected={index === place}>
            <Cells range={at(index)} nodes={set.nodes} axes={axes} />
          </Row>
        )}
        attributes={{
          role: "grid",
          "aria-label": "Ranges",
          "aria-rowcount": detail.ranges + 1,
          "aria-colcount": COLUMNS.length,
          "aria-activedescendant": `${id}-${place}`,
          tabIndex: 0,
          className: rangeListStyles.grid,
          ...handlers,
        }}
      />
    </div>
  );
}

interface HandlerInput extends Pick<RangeListProps, "detail" | "place" | "onPlace" | "onOpen"> {
  readonly at: (place: number) => SourceRange | undefined;
  readonly list: RefObject<ScaledRowsHandle | null>;
}

function useHandlers({ detail, place, onPlace, onOpen, at, list }: HandlerInput) {
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.target !== event.currentTarget || event.altKey) return;
    if (event.key === "Enter" || event.key === " ") onOpen(at(place));
    else {
      const press = { key: event.key, ctrl: event.ctrlKey || event.metaKey };
      const to = movedRow(press, place, detail.ranges, list.current?.rowsPerPage() ?? 10);
      if (to === undefined) return;
      onPlace(to);
    }
    event.preventDefault();
  };
  const onClick = (event: MouseEvent<HTMLDivElement>) => {
    const row = (event.target as Element).closest<HTMLElement>("[data-row]")?.dataset["row"];
    if (row === undefined) return;
    onPlace(Number(row));
    onOpen(at(Number(row)));
  };
  return { onKeyDown, onClick };
}

/** Brings the range that one is at into sight: when it is another, and once there is room for rows. */
function useInSight(list: RefObject<ScaledRowsHandle | null>, place: number, want: (seen: RowRange) => void) {
  const [hasRoom, setRoom] = useState(false);
  useEffect(() => {
    if (hasRoom) list.current?.show(place, "nearest");
  }, [list, hasRoom, place]);
  return useCallback(
    (seen: RowRange) => {
      want(seen);
      setRoom(seen.to > seen.from);
    },
    [want],
  );
}

interface RowProps {
  readonly id: string;
  readonly index: number;
  readonly top: number;
  readonly selected: boolean;
  readonly children: ReactNode;
}

function Row({ id, index, top, selected, children }: RowProps) {
  return (
    <div
      id={id}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={selected}
      className={rangeListStyles.row}
      data-row={index}
      style={{ transform: `translateY(${top}px)` }}
    >
      {children}
    </div>
  );
}

function useWindow(set: number, { target }: SourceDetail) {
  const [window, setWindow] = useState({ from: 0, to: STEP });
  const want = useCallback(({ from, to }: RowRange) => {
    const next = { from: Math.floor(from / STEP) * STEP, to: Math.ceil((to + 1) / STEP) * STEP };
    setWindow((now) => (now.from === next.from && now.to === next.to ? now : next));
  }, []);
  const known = useEngine("sources.ranges", { set, target, ...window }, `sources.ranges ${target}`).last?.data;
  const first = known?.ranges[0]?.place ?? 0;
  return { want, at: (place: number): SourceRange | undefined => known?.ranges[place - first] };
}

function Head() {
  return (
    <div role="row" aria-rowindex={1} className={rangeListStyles.headRow}>
      {COLUMNS.map((name, at) => (
        <div
          key={name}
          role="columnheader"
          aria-colindex={at + 1}
          className={rangeListStyles.headCell}
          data-numeric={at < 2}
        >
          {name}
        </div>
      ))}
    </div>
  );
}

interface CellsProps {
  readonly range: SourceRange | undefined;
  readonly nodes: readonly NodeSummary[];
  readonly axes: AxesByArray;
}

function Cells({ range, nodes, axes }: CellsProps) {
  const texts = range === undefined ? COLUMNS.map(() => undefined) : textsOf(range, nodes, axes);
  return texts.map((text, at) => (
    <div
      key={COLUMNS[at]}
      role={at === 2 ? "rowheader" : "gridcell"}
      aria-colindex={at + 1}
      className={rangeListStyles.cell}
      data-numeric={at < 2}
      data-tone={at === 4 && range !== undefined && (range.overlaps || range.pastEnd > 0) ? "bad" : undefined}
      title={text}
    >
      {text === undefined ? (
        <span className={rangeListStyles.coming} aria-hidden="true" />
      ) : (
        <bdi dir="ltr">{text}</bdi>
      )}
    </div>
  ));
}

function textsOf(range: SourceRange, nodes: readonly NodeSummary[], axes: AxesByArray): readonly string[] {
  const { from, to, key, array = "", coordinates } = range;
  const node = nodes.find(({ path }) => path === array);
  const box = coordinates === undefined ? {} : { box: { from: coordinates, to: coordinates } };
  const where = coordinates === undefined ? "no chunk of a grid" : boxWords(box, node, axes.get(array));
  return [formatCount(from), formatCount(to - from), key, where, rangeNotes(range).join(", ")];
}
