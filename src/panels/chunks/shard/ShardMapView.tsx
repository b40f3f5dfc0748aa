/** One shard: its bytes in a strip, what is wrong with them and, opened, its inside. All show the same chunk. */
import { type ReactNode, useMemo, useState } from "react";
import { ordinalOf } from "#core/metadata/chunk-grid.ts";
import type { ShardFault } from "#core/table/shard-map.ts";
import { Legend, LegendEntry, LookedLine } from "#widgets/cell-map/Legend.tsx";
import { countOf, formatBytes, formatCount, formatExactBytes } from "#widgets/number-format.ts";
import { useRovingList } from "#widgets/controls/roving.ts";
import { useTouch } from "#widgets/hooks.ts";
import { Button, CopyButton } from "#widgets/controls/Button.tsx";
import { EntryMark, NearbyEntries } from "./NearbyEntries.tsx";
import { InnerPart } from "./InnerPart.tsx";
import styles from "./StripPart.module.css";
import { type PartHandlers, StripPart } from "./StripPart.tsx";
import type { LengthScale, MapColour } from "../cell-colours.ts";
import { LengthEntry, OrderEntry } from "../ScaleEntries.tsx";
import { point, type PointedChunk, usePointed } from "../pointed-chunk.ts";
import { type FileOrder, orderEntries, rampSteps } from "./file-order.ts";
import {
  bareSentence,
  chunkSentence,
  chunkWords,
  dotted,
  faultSentence,
  ratioText,
  STATE_WORDS,
} from "./chunk-sentence.ts";
import { chunkCoordinates, insideCounts, sameHover, shardTotals } from "./shard-props.ts";
import type { Hover, ShardTotals, ShownShard } from "./shard-props.ts";

export interface ShardMapViewProps extends ShownShard {
  /** The map's; where that has none for a shard, chunks are coloured by their place in it. */
  readonly colour: MapColour;
  readonly scale: LengthScale | undefined;
  /** Shared with the map and the table. */
  readonly pointed: PointedChunk;
  readonly stale: boolean;
  /** Ordinal in the inner grid. */
  readonly selected: number | undefined;
  readonly onSelect: (inner: number) => void;
}

export function ShardMapView(props: ShardMapViewProps) {
  const { map, array, shard, stale, selected, onSelect, pointed, scale } = props;
  const colour = props.colour === "length" ? "length" : "order";
  const order = useMemo(() => orderEntries(map), [map]);
  const totals = useMemo(() => shardTotals(map, array.chunkBytes), [map, array.chunkBytes]);
  const isSized = colour === "length";
  const steps = useMemo(() => rampSteps(map, isSized ? scale : undefined), [map, isSized, scale]);
  const inside = useMemo(() => insideCounts(array, shard, map.innerGrid), [array, shard, map.innerGrid]);
  const [opened, setOpened] = useState(false);
  const looking = useLooking({ map, order, selected, shard, pointed });
  const { cursor, setCursor, setFocused, focus, hover, looked } = looking;
  const select = (inner: number) => {
    setCursor(inner);
    onSelect(inner);
  };
  const handlers = (part: "strip" | "grid"): PartHandlers => ({
    onCursor: setCursor,
    onHover: looking.setHover,
    onFocus: (focused) => setFocused(focused ? part : undefined),
    onSelect,
  });
  const hovered = hover?.kind === "chunk" ? hover.inner : undefined;
  const marks = { selected, cursor: focus === undefined ? undefined : cursor, hovered };
  const shared = { map, array, shard, steps, colour, cursor, marks } as const;
  const name = `the shard ${shard.key}`;
  const keys = "Arrow keys move from chunk to chunk, Enter opens one, plus and minus zoom.";
  return (
    <div className={styles.map} data-stale={stale} aria-busy={stale} inert={stale}>
      <StripPart {...shared} {...handlers("strip")} order={order} label={`Bytes of ${name}. ${keys}`}>
        <ChunkLine {...{ map, array, shard, looked }} spoken={focus !== undefined && hover === undefined} />
        <ShardLegend {...{ map, totals, colour, scale }} />
        <Button className={styles.open} aria-expanded={opened} onClick={() => setOpened(!opened)}>
          {opened ? "Hide the inside" : "Show the inside"}
        </Button>
      </StripPart>
      {map.faultCount > 0 ? <FaultList map={map} shard={shard} selected={selected} onSelect={select} /> : null}
      {opened ? (
        <div className={styles.parts}>
          <InnerPart {...shared} {...handlers("grid")} inside={inside} label={`Inner chunks of ${name}. ${keys}`} />
          <div className="column gap-12 narrow low">
            <ShardFigures totals={totals} />
            <NearbyEntries
              {...{ map, array, shard, order, cursor }}
              current={marks.cursor ?? selected}
              onSelect={select}
            />
          </div>
        </div>
      ) : null}
    </div>
  );
}

interface LookingInput extends Pick<ShardMapViewProps, "map" | "shard" | "selected" | "pointed"> {
  readonly order: FileOrder;
}

/**
 * Which chunk is looked at: under the pointer, here or elsewhere, else at the keyboard's cursor, else the selected
 * one.
 */
function useLooking({ map, order, selected, shard, pointed }: LookingInput) {
  const first = () => selected ?? order.ordinals[0] ?? 0;
  const [cursor, setCursor] = useState(first);
  const [bare, setBare] = useState<Hover>();
  const at = usePointed(pointed);
  const inner =
    at &&
    ordinalOf(
      map.innerGrid,
      at.map((one, dimension) => one - (shard.first[dimension] ?? 0)),
    );
  const hover: Hover | undefined = inner === undefined ? bare : { kind: "chunk", inner };
  const [focus, setFocused] = useState<"strip" | "grid">();
  const [followed, setFollowed] = useState({ map, selected });
  if (followed.map !== map || followed.selected !== selected) {
    setFollowed({ map, selected });
    if (followed.map !== map) {
      setBare(undefined);
      setCursor(first());
    } else if (selected !== undefined) setCursor(selected);
  }
  const chosen = focus === undefined ? selected : cursor;
  return {
    cursor: Math.min(cursor, Math.max(0, map.codes.length - 1)),
    setCursor,
    focus,
    setFocused,
    hover,
    setHover: (next: Hover | undefined) => {
      const isChunk = next?.kind === "chunk";
      point(pointed, isChunk ? chunkCoordinates(shard, map.innerGrid, next.inner) : undefined);
      if (!sameHover(bare, isChunk ? undefined : next)) setBare(isChunk ? undefined : next);
    },
    looked: hover ?? (chosen === undefined ? undefined : { kind: "chunk" as const, inner: chosen }),
  };
}

// Facts of the item under the pointer or the cursor.

interface ChunkLineProps extends ShownShard {
  readonly looked: Hover | undefined;
  /** The cursor moves by keyboard: say it aloud. */
  readonly spoken: boolean;
}

function ChunkLine({ map, array, shard, looked, spoken }: ChunkLineProps) {
  const touch = useTouch();
  const inner = looked?.kind === "chunk" ? looked.inner : undefined;
  return (
    <LookedLine
      className={styles.chunkLine}
      spoken={spoken && inner !== undefined ? chunkSentence(map, array, shard, inner) : ""}
    >
      {looked === undefined ? (
        <Cut
          text={
            touch
              ? "Tap a chunk to select it."
              : "Point at a chunk, or move with the arrow keys; a click selects, Enter opens."
          }
        />
      ) : looked.kind === "bare" ? (
        <Cut text={bareSentence(map, looked.bytes)} />
      ) : (
        <ChunkFacts map={map} array={array} shard={shard} inner={looked.inner} />
      )}
    </LookedLine>
  );
}

const Cut = ({ text }: { readonly text: string }) => (
  <span className={styles.cut} title={text}>
    {text}
  </span>
);

function ChunkFacts({ map, array, shard, inner }: ShownShard & { readonly inner: number }) {
  const { coordinates, state, place, note } = chunkWords(map, array, shard, inner);
  const rest = [place, note].filter((part) => part !== "").join(", ");
  return (
    <>
      <code className={`cut strong ${styles.chunkName}`} title={coordinates}>
        {coordinates}
      </code>
      <CopyButton text={coordinates} what="coordinates" />
      <EntryMark state={state} />
      <Cut text={rest} />
      <span className="rigid aside faint">entry {inner.toLocaleString("en")}</span>
    </>
  );
}

// Legend of colours and patterns.

interface ShardLegendProps extends Pick<ShardMapViewProps, "map" | "colour" | "scale"> {
  readonly totals: ShardTotals;
}

function ShardLegend({ map, totals, colour, scale }: ShardLegendProps) {
  return (
    <Legend>
      {colour === "length" ? <LengthEntry scale={scale} /> : <OrderEntry />}
      <LegendEntry swatch="index">index</LegendEntry>
      {map.bytesDead > 0 ? <LegendEntry swatch="dead">dead bytes</LegendEntry> : null}
      {(["empty", "shared", "damaged"] as const).map((state) =>
        totals[state] > 0 ? (
          <LegendEntry key={state} swatch={state} count={totals[state]}>
            {state}
          </LegendEntry>
        ) : null,
      )}
    </Legend>
  );
}

// The chunks of the shard in figures; its bytes are in its head.

function ShardFigures({ totals }: { readonly totals: ShardTotals }) {
  const { present, empty, damaged, shared, all } = totals;
  return (
    <dl className={styles.figures} aria-label="Figures of its chunks">
      <Figure term="Present" title={shared > 0 ? `${countOf(shared, "chunk")} of them share their bytes` : undefined}>
        {formatCount(present)} <Of all={all} />
      </Figure>
      <Figure term="Empty">
        {formatCount(empty)} <Of all={all} />
      </Figure>
      <Figure term="Damaged" bad={damaged > 0}>
        {damaged > 0 ? <span aria-hidden="true">✕ </span> : null}
        {formatCount(damaged)} <Of all={all} />
      </Figure>
      <CompressionFigure totals={totals} />
      <SizesFigure totals={totals} />
    </dl>
  );
}

const Of = ({ all }: { readonly all: number }) => <span className={styles.also}>of {formatCount(all)}</span>;

interface FigureProps {
  readonly term: string;
  readonly title?: string | undefined;
  readonly bad?: boolean;
  readonly children: ReactNode;
}

function Figure({ term, title, bad = false, children }: FigureProps) {
  return (
    <div className={styles.figure} title={title} data-bad={bad}>
      <dt className="faint fine">{term}</dt>
      <dd className="cut strong tabular">{children}</dd>
    </div>
  );
}

function CompressionFigure({ totals: { decoded, stored } }: { readonly totals: ShardTotals }) {
  const ratio = ratioText(decoded, stored);
  if (ratio === undefined || decoded === undefined) return <Figure term="Compression">–</Figure>;
  return (
    <Figure term="Compression" title={`${formatExactBytes(stored)} stored, ${formatExactBytes(decoded)} decoded`}>
      {ratio}
      <span className={styles.also}> to {formatBytes(decoded)}</span>
    </Figure>
  );
}

function SizesFigure({ totals: { smallest, largest } }: { readonly totals: ShardTotals }) {
  if (smallest === undefined || largest === undefined) return <Figure term="Chunk sizes">–</Figure>;
  const same = smallest === largest;
  return (
    <Figure
      term={same ? "Every chunk" : "Smallest, largest"}
      title={same ? formatExactBytes(smallest) : `${formatExactBytes(smallest)} to ${formatExactBytes(largest)}`}
    >
      {same ? formatBytes(smallest) : `${formatBytes(smallest)} – ${formatBytes(largest)}`}
    </Figure>
  );
}

// Faults of the shard's entries; arrows move between items, a click selects the chunk.

type FaultListProps = Pick<ShardMapViewProps, "map" | "shard" | "selected" | "onSelect">;

/** About: the sentences wrap. */
const ROW_HEIGHT = 48;
const BORDERS = 2;
/** Height of the heading, and what is kept of the list where there is little room. */
const HEAD_HEIGHT = 28;
const LEAST_HEIGHT = 130;
const WHOLE_BELOW = 100;

function FaultList({ map, shard, selected, onSelect }: FaultListProps) {
  const { faults, faultCount } = map;
  const { box, virtualizer, active, setActive, onKeyDown } = useRovingList({
    count: faults.length,
    rowHeight: ROW_HEIGHT,
    wholeBelow: WHOLE_BELOW,
  });
  return (
    <section
      className={styles.faults}
      aria-label="Problems of the shard"
      style={{ minHeight: Math.min(LEAST_HEIGHT, HEAD_HEIGHT + BORDERS + virtualizer.getTotalSize()) }}
    >
      <div className={styles.partHead}>
        <h3 className={styles.partTitle}>Faults</h3>
        <span className="cut faint size-12 tabular">
          {formatCount(faultCount)}
          {faultCount > faults.length ? `, the first ${formatCount(faults.length)} are listed` : ""}
        </span>
      </div>
      <div ref={box} className={styles.faultBox} style={{ height: virtualizer.getTotalSize() + BORDERS }}>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrows move among the buttons in it */}
        <ul
          aria-label="Faults"
          className="relative"
          style={{ height: virtualizer.getTotalSize() }}
          onKeyDown={onKeyDown}
        >
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const fault = faults[index];
            return fault === undefined ? null : (
              <li
                key={index}
                className={styles.fault}
                ref={virtualizer.measureElement}
                style={{ top: start }}
                data-index={index}
                data-code={`shard-${fault.fault}`}
                aria-posinset={index + 1}
                aria-setsize={faults.length}
              >
                <Button
                  className={styles.faultButton}
                  aria-current={fault.inner === selected}
                  tabIndex={index === active ? 0 : -1}
                  onFocus={() => setActive(index)}
                  onClick={() => onSelect(fault.inner)}
                >
                  <FaultWords {...{ map, shard, fault }} />
                </Button>
              </li>
            );
          })}
        </ul>
      </div>
    </section>
  );
}

interface FaultWordsProps extends Pick<ShownShard, "map" | "shard"> {
  readonly fault: ShardFault;
}

function FaultWords({ map, shard, fault }: FaultWordsProps) {
  return (
    <>
      <span className={styles.faultSign} aria-hidden="true">
        ✕
      </span>
      <code className={`cut strong ${styles.chunkName}`}>
        {dotted(chunkCoordinates(shard, map.innerGrid, fault.inner))}
      </code>
      <span className="ellipsis">{STATE_WORDS[fault.fault]}</span>
      <span className={styles.faultText}>{faultSentence(map, shard, fault)}</span>
    </>
  );
}
