/** The bytes of the shard, in file order, with what pointer, wheel and keys do. */
import { useRef, type ReactNode } from "react";
import type { Gestures } from "../../../widgets/cell-map/gestures.ts";
import { MapFrame } from "../../../widgets/cell-map/MapFrame.tsx";
import { ZoomButtons } from "../../../widgets/cell-map/ZoomButtons.tsx";
import { formatBytes, formatCount, formatExactBytes } from "../../../widgets/number-format.ts";
import { movedInFile, type ByteSpan } from "./file-order.ts";
import type { Hover } from "./hover.ts";
import { useStrip, type Strip, type StripInput } from "./use-strip.ts";
import styles from "./ShardPanel.module.css";

export interface PartHandlers {
  readonly onCursor: (inner: number) => void;
  readonly onHover: (hover: Hover | undefined) => void;
  /** With the keyboard. */
  readonly onFocus: (focused: boolean) => void;
  readonly onSelect: (inner: number) => void;
  readonly onOpen: (inner: number) => void;
}

export interface StripPartProps extends StripInput, PartHandlers {
  readonly label: string;
  /** Beside the zoom. */
  readonly children: ReactNode;
}

export function StripPart(props: StripPartProps) {
  const { label, map, order, children } = props;
  const frame = useRef<HTMLDivElement>(null);
  const strip = useStrip(props, frame);
  return (
    <section className={styles.strip} aria-label="Bytes of the shard">
      <div className={styles.partHead}>
        <h3 className={styles.partTitle}>Bytes, in file order</h3>
        <span className={styles.seen} title={exactSpan(strip.seen)}>
          {seenWords(strip, map.size)}
        </span>
        <ZoomButtons
          label="Zoom of the bytes"
          all="Show all bytes"
          zoomed={strip.zoomed}
          magnifiable={strip.magnifiable && order.ordinals.length > 0}
          zoom={strip.zoom}
          fit={strip.fit}
        />
        {children}
      </div>
      <MapFrame
        {...{ frame, label }}
        className={styles.stripFrame}
        size={strip.size}
        height={strip.size.height}
        zoomed={strip.zoomed}
        draw={strip.draw}
        drawMarks={strip.drawMarks}
        gestures={stripGestures(props, strip)}
      />
    </section>
  );
}

const exactSpan = ({ from, to }: ByteSpan) => `${formatCount(Math.floor(from))} to ${formatCount(Math.ceil(to))}`;

function seenWords({ seen, zoomed, bytesPerPixel, size }: Strip, all: number): string {
  const perPixel = bytesPerPixel * size.ratio;
  const scale = perPixel >= 1.5 ? ` · 1 pixel = ${formatBytes(Math.round(perPixel))}` : "";
  if (!zoomed) return `all ${formatExactBytes(all)}${scale}`;
  return `${formatBytes(Math.round(seen.to - seen.from))} from ${formatCount(Math.floor(seen.from))}${scale}`;
}

function stripGestures(props: StripPartProps, strip: Strip): Gestures {
  const { map, order, cursor, onCursor, onHover, onSelect, onOpen, onFocus } = props;
  return {
    onPoint: (at) => onHover(at && strip.at(at)),
    onClick: (at) => {
      const found = strip.at(at);
      if (found?.kind !== "chunk") return;
      onCursor(found.inner);
      onSelect(found.inner);
    },
    onGrab: () => strip.hold,
    onWheel: (across) => {
      if (across === 0 || !strip.zoomed) return false;
      strip.pan(across, 0);
      return true;
    },
    onZoom: strip.zoom,
    onFit: strip.fit,
    onKey: ({ key, ctrl }) => {
      const page = strip.seen.to - strip.seen.from;
      const moved = ctrl ? undefined : movedInFile(map, order, cursor, { key, page, row: page / strip.layout.rows });
      if (moved !== undefined) onCursor(moved);
      return moved !== undefined;
    },
    onOpen: () => onOpen(cursor),
    onFocus,
  };
}
