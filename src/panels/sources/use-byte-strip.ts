/** The strip's state: which bytes are seen, and what its pixels show. */
import { useCallback, useMemo, useState, type RefObject } from "react";
import type { SourceDetail, SourceRange } from "../../core/sources.ts";
import { useEngine } from "../../store/react.tsx";
import { panSpan, revealSpan, zoomSpan, type ByteSpan } from "../../widgets/cell-map/byte-span.ts";
import type { Point } from "../../widgets/cell-map/camera.ts";
import { useCanvasSize } from "../../widgets/cell-map/canvas-size.ts";
import type { Hold } from "../../widgets/cell-map/gestures.ts";
import type { Draw } from "../../widgets/cell-map/Layers.tsx";
import { drawBytes, drawBytesMarks, STRIP_HEIGHT } from "./draw-bytes.ts";

/** Bytes seen at the most magnification. */
const LEAST = 32;

export interface ByteStripInput {
  readonly set: number;
  readonly detail: SourceDetail;
  /** The range that keys are at. */
  readonly current: SourceRange | undefined;
  /** The bytes that were asked for. */
  readonly asked: ByteSpan | undefined;
}

/** All bytes at first; follows what is asked for where it leaves what is seen. */
function useSeen({ extent }: SourceDetail, current: ByteSpan | undefined) {
  const all = { from: 0, to: Math.max(1, extent) };
  const [seen, setSeen] = useState<ByteSpan>(all);
  const [followed, setFollowed] = useState(current);
  if (followed?.from !== current?.from || followed?.to !== current?.to) {
    setFollowed(current);
    if (current !== undefined) setSeen(revealSpan(seen, current, all.to));
  }
  return [seen, setSeen] as const;
}

export function useByteStrip({ set, detail, current, asked }: ByteStripInput, frame: RefObject<HTMLDivElement | null>) {
  const followed = asked ?? current;
  const [seen, setSeen] = useSeen(detail, followed);
  const { width, ratio } = useCanvasSize(frame);
  const pixels = Math.round(width * ratio);
  const { target, extent, size: end } = detail;
  const from = Math.floor(seen.from);
  const to = Math.ceil(seen.to);
  const request = pixels === 0 ? undefined : { set, target, from, to, pixels };
  const strip = useEngine("sources.strip", request, `sources.strip ${target}`).last?.data;
  const size = useMemo(() => ({ width, height: STRIP_HEIGHT, ratio }), [width, ratio]);
  const draw = useCallback<Draw>(
    (painter) => {
      drawBytes(painter, { strip, seen, size, end });
    },
    [strip, seen, size, end],
  );
  const drawMarks = useCallback<Draw>(
    (painter) => {
      const marks = [
        ...(current === undefined ? [] : [{ bytes: current, token: "--focus" as const }]),
        ...(asked === undefined ? [] : [{ bytes: asked, token: "--ink" as const }]),
      ];
      drawBytesMarks(painter, { seen, size }, marks);
    },
    [current, asked, seen, size],
  );
  const least = Math.min(extent, LEAST);
  const shareOf = (point: Point | undefined): number => {
    if (point !== undefined) return width === 0 ? 0.5 : point.x / width;
    const middle =
      followed === undefined ? -1 : ((followed.from + followed.to) / 2 - seen.from) / (seen.to - seen.from);
    return middle >= 0 && middle <= 1 ? middle : 0.5;
  };
  const zoomed = (factor: number, point?: Point) => zoomSpan(seen, factor, shareOf(point), extent, least);
  const perPixel = width === 0 ? 0 : (seen.to - seen.from) / width;
  return {
    seen,
    size,
    draw,
    drawMarks,
    byteAt: ({ x }: Point): number => Math.max(0, Math.min(extent - 1, Math.floor(seen.from + x * perPixel))),
    zoom: (factor: number, point?: Point) => setSeen(zoomed(factor, point)),
    fit: () => setSeen({ from: 0, to: Math.max(1, extent) }),
    pan: (across: number) => setSeen(panSpan(seen, across * perPixel, extent)),
    hold: ({ across, factor, at }: Hold) => {
      const next = zoomed(factor, at);
      setSeen(panSpan(next, (-across * (next.to - next.from)) / Math.max(1, width), extent));
    },
    isZoomed: seen.to - seen.from < extent,
    isMagnifiable: seen.to - seen.from > least,
    perPixel,
  };
}

export type ByteStripState = ReturnType<typeof useByteStrip>;
