/** The bytes of a target as a strip, with what pointer, wheel and keys do. */
import { useRef, type ReactNode } from "react";
import type { Gestures } from "../../widgets/cell-map/gestures.ts";
import { MapFrame } from "../../widgets/cell-map/MapFrame.tsx";
import { ZoomButtons } from "../../widgets/cell-map/ZoomButtons.tsx";
import { formatBytes } from "../../widgets/number-format.ts";
import { spanText } from "./source-words.ts";
import { useByteStrip, type ByteStripInput, type ByteStripState } from "./use-byte-strip.ts";
import { STRIP_HEIGHT } from "./draw-bytes.ts";
import styles from "./BytesTab.module.css";

export interface ByteStripProps extends ByteStripInput {
  readonly describedBy: string;
  /** A byte that was pointed at and clicked. */
  readonly onByte: (byte: number) => void;
  /** Steps to another range: by so many, or to the first or last. */
  readonly onStep: (step: number | "first" | "last") => void;
  /** Goes to the chunk of the range. */
  readonly onOpen: () => void;
  /** Beside the zoom. */
  readonly children: ReactNode;
}

export function ByteStrip(props: ByteStripProps) {
  const { detail, describedBy, children } = props;
  const frame = useRef<HTMLDivElement>(null);
  const strip = useByteStrip(props, frame);
  return (
    <div className={styles.strip}>
      <div className={styles.stripHead}>
        <span className={styles.seen}>{seenWords(strip, detail.extent)}</span>
        {children}
        <ZoomButtons
          label="Zoom of the bytes"
          all="Show all bytes"
          zoomed={strip.isZoomed}
          magnifiable={strip.isMagnifiable}
          zoom={strip.zoom}
          fit={strip.fit}
        />
      </div>
      <MapFrame
        frame={frame}
        label="Bytes of the target. Arrow keys step from range to range, Enter goes to the chunk, plus and minus zoom."
        roleDescription="strip of bytes"
        describedBy={describedBy}
        className={styles.frame}
        size={strip.size}
        height={STRIP_HEIGHT}
        zoomed={strip.isZoomed}
        draw={strip.draw}
        drawMarks={strip.drawMarks}
        gestures={gesturesOf(props, strip)}
      />
    </div>
  );
}

function seenWords({ seen, isZoomed, perPixel }: ByteStripState, extent: number): string {
  const scale = perPixel >= 1.5 ? ` · 1 pixel = ${formatBytes(Math.round(perPixel))}` : "";
  const what = isZoomed ? spanText(Math.floor(seen.from), Math.ceil(seen.to)) : `all ${formatBytes(extent)}`;
  return `${what}${scale}`;
}

const STEPS: ReadonlyMap<string, number | "first" | "last"> = new Map<string, number | "first" | "last">([
  ["ArrowRight", 1],
  ["ArrowDown", 1],
  ["ArrowLeft", -1],
  ["ArrowUp", -1],
  ["PageDown", 20],
  ["PageUp", -20],
  ["Home", "first"],
  ["End", "last"],
]);

function gesturesOf({ onByte, onStep, onOpen }: ByteStripProps, strip: ByteStripState): Gestures {
  return {
    onPoint: () => undefined,
    onClick: (at) => onByte(strip.byteAt(at)),
    onGrab: () => strip.hold,
    onWheel: (across) => {
      if (across === 0 || !strip.isZoomed) return false;
      strip.pan(across);
      return true;
    },
    onZoom: strip.zoom,
    onFit: strip.fit,
    onKey: ({ key, ctrl }) => {
      const step = ctrl ? undefined : STEPS.get(key);
      if (step !== undefined) onStep(step);
      return step !== undefined;
    },
    onOpen,
    onFocus: () => undefined,
  };
}
