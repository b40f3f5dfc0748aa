/** One shard: its bytes in a strip, what is wrong with them and, opened, its inside. All show the same chunk. */
import { useMemo, useState } from "react";
import type { ShardMap } from "../../../core/shard-map.ts";
import { rampSteps } from "./chunk-colours.ts";
import { ChunkLine } from "./ChunkLine.tsx";
import { FaultList } from "./FaultList.tsx";
import { orderEntries, type FileOrder } from "./file-order.ts";
import { sameHover, type Hover } from "./hover.ts";
import { InnerPart } from "./InnerPart.tsx";
import { NearbyEntries } from "./NearbyEntries.tsx";
import { ShardFigures } from "./ShardFigures.tsx";
import { ShardLegend } from "./ShardLegend.tsx";
import { insideCounts, type ShardArray, type ShardColour, type ShardPlace } from "./shard-props.ts";
import { shardTotals } from "./shard-totals.ts";
import { StripPart, type PartHandlers } from "./StripPart.tsx";
import styles from "./ShardPanel.module.css";

export interface ShardMapViewProps {
  readonly map: ShardMap;
  readonly array: ShardArray;
  readonly shard: ShardPlace;
  readonly stale: boolean;
  /** Ordinal in the inner grid. */
  readonly selected: number | undefined;
  readonly onSelect: (inner: number) => void;
  readonly onHover?: ((inner: number | undefined) => void) | undefined;
  readonly onOpenChunk: (inner: number) => void;
  readonly colour: ShardColour;
  readonly onColour: (colour: ShardColour) => void;
}

export function ShardMapView(props: ShardMapViewProps) {
  const { map, array, shard, stale, selected, onSelect, onOpenChunk, colour, onColour } = props;
  const order = useMemo(() => orderEntries(map), [map]);
  const totals = useMemo(() => shardTotals(map, array.chunkBytes), [map, array.chunkBytes]);
  const steps = useMemo(() => {
    const lengths = { smallest: totals.smallest ?? 0, largest: totals.largest ?? 0 };
    return rampSteps(map, order, colour, lengths);
  }, [map, order, colour, totals]);
  const inside = useMemo(() => insideCounts(array, shard, map.innerGrid), [array, shard, map.innerGrid]);
  const [opened, setOpened] = useState(false);
  const looking = useLooking(map, order, selected, props.onHover);
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
    onOpen: onOpenChunk,
  });
  const hovered = hover?.kind === "chunk" ? hover.inner : undefined;
  const marks = { selected, cursor: focus === undefined ? undefined : cursor, hovered };
  const shared = { map, array, shard, steps, cursor, marks };
  const name = `the shard ${shard.key}`;
  const keys = "Arrow keys move from chunk to chunk, Enter opens one, plus and minus zoom.";
  return (
    <div className={styles.map} data-stale={stale} aria-busy={stale} inert={stale}>
      <StripPart {...shared} {...handlers("strip")} order={order} label={`Bytes of ${name}. ${keys}`}>
        <button type="button" className={styles.open} aria-expanded={opened} onClick={() => setOpened(!opened)}>
          {opened ? "Hide the inside" : "Show the inside"}
        </button>
      </StripPart>
      <div className={styles.below}>
        <ChunkLine {...{ map, array, shard, looked }} spoken={focus !== undefined && hover === undefined} />
        <ShardLegend map={map} totals={totals} colour={colour} onColour={onColour} />
      </div>
      {map.faultCount > 0 ? <FaultList map={map} shard={shard} selected={selected} onSelect={select} /> : null}
      {opened ? (
        <div className={styles.parts}>
          <InnerPart {...shared} {...handlers("grid")} inside={inside} label={`Inner chunks of ${name}. ${keys}`} />
          <div className={styles.lists}>
            <ShardFigures map={map} totals={totals} />
            <NearbyEntries
              {...{ map, array, shard, order, cursor }}
              current={marks.cursor ?? selected}
              count={7}
              onSelect={select}
            />
          </div>
        </div>
      ) : null}
    </div>
  );
}

/** Which chunk is looked at: under the pointer, else at the keyboard's cursor, else the selected one. */
function useLooking(
  map: ShardMap,
  order: FileOrder,
  selected: number | undefined,
  onHover: ((inner: number | undefined) => void) | undefined,
) {
  const first = () => selected ?? order.ordinals[0] ?? 0;
  const [cursor, setCursor] = useState(first);
  const [hover, setHover] = useState<Hover>();
  const [focus, setFocused] = useState<"strip" | "grid">();
  const [followed, setFollowed] = useState({ map, selected });
  if (followed.map !== map || followed.selected !== selected) {
    setFollowed({ map, selected });
    if (followed.map !== map) {
      setHover(undefined);
      setCursor(first());
    } else if (selected !== undefined) setCursor(selected);
  }
  const count = map.codes.length;
  const chosen: Hover | undefined =
    focus !== undefined
      ? { kind: "chunk", inner: cursor }
      : selected === undefined
        ? undefined
        : { kind: "chunk", inner: selected };
  return {
    cursor: Math.min(cursor, Math.max(0, count - 1)),
    setCursor,
    focus,
    setFocused,
    hover,
    setHover: (next: Hover | undefined) => {
      if (sameHover(hover, next)) return;
      setHover(next);
      onHover?.(next?.kind === "chunk" ? next.inner : undefined);
    },
    looked: hover ?? chosen,
  };
}
