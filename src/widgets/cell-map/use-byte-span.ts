/** Which bytes a strip shows, with what the pointer, the wheel and keys do to them. */
import { useState } from "react";
import type { Point } from "./camera.ts";
import type { Hold } from "./gestures.ts";

export interface ByteSpanInput {
  /** Bytes that there are, and bytes seen at the most magnification. */
  readonly size: number;
  readonly least: number;
  /** Comes into sight when it becomes another. */
  readonly followed: ByteSpan | undefined;
  /** Whenever this is another one, all bytes are shown. */
  readonly subject: unknown;
  /** Share of the bytes seen that lies before a point. */
  readonly shareAt: (point: Point, seen: ByteSpan) => number;
  /** Share of the visible bytes that a number of pixels covers. */
  readonly shareOf: (across: number, down: number) => number;
}

/** All bytes at first. Without a point it magnifies at what is followed where that is in sight, else in the middle. */
export function useByteSpan({ size, least, followed, subject, shareAt, shareOf }: ByteSpanInput) {
  const whole = { from: 0, to: Math.max(1, size) };
  const [seen, setSeen] = useState<ByteSpan>(whole);
  const [before, setBefore] = useState({ followed, subject });
  const isOther = before.followed?.from !== followed?.from || before.followed?.to !== followed?.to;
  if (before.subject !== subject || isOther) {
    setBefore({ followed, subject });
    if (before.subject !== subject) setSeen(whole);
    else if (followed !== undefined) setSeen(revealSpan(seen, followed, whole.to));
  }
  const length = seen.to - seen.from;
  const middle = followed === undefined ? -1 : ((followed.from + followed.to) / 2 - seen.from) / length;
  const magnified = (factor: number, point?: Point): ByteSpan => {
    const share = point !== undefined ? shareAt(point, seen) : middle >= 0 && middle <= 1 ? middle : 0.5;
    return zoomSpan(seen, factor, share, size, least);
  };
  const move = (from: ByteSpan, across: number, down: number) =>
    setSeen(panSpan(from, shareOf(across, down) * (from.to - from.from), size));
  const zoom = (factor: number, point?: Point) => setSeen(magnified(factor, point));
  const fit = () => setSeen(whole);
  const zoomed = length < size;
  return {
    seen,
    zoom,
    fit,
    zoomed,
    magnifiable: length > least,
    gestures: {
      onGrab:
        () =>
        ({ across, down, factor, at }: Hold) =>
          move(magnified(factor, at), -across, -down),
      onWheel: (across: number): boolean => {
        if (across === 0 || !zoomed) return false;
        move(seen, across, 0);
        return true;
      },
      onZoom: zoom,
      onFit: fit,
    },
  };
}

// Which bytes a strip shows: magnifying and moving along them. Pure.

/** Bytes; `to` excluded. */
export interface ByteSpan {
  readonly from: number;
  readonly to: number;
}

function clamped(from: number, length: number, size: number): ByteSpan {
  const start = Math.max(0, Math.min(from, size - length));
  return { from: start, to: start + length };
}

/** Magnifies by `factor`; what is at `at` (0 to 1 of what is seen) stays there. */
export function zoomSpan(seen: ByteSpan, factor: number, at: number, size: number, least: number): ByteSpan {
  const length = seen.to - seen.from;
  const next = Math.max(Math.min(least, size), Math.min(size, length / factor));
  return clamped(seen.from + at * (length - next), next, size);
}

/** Moves by `bytes`, as far as there are any. */
export function panSpan(seen: ByteSpan, bytes: number, size: number): ByteSpan {
  return clamped(seen.from + bytes, seen.to - seen.from, size);
}

/** The least move that shows the start of `bytes`, and all of it where it fits. */
export function revealSpan(seen: ByteSpan, bytes: ByteSpan, size: number): ByteSpan {
  const length = seen.to - seen.from;
  if (bytes.from < seen.from || bytes.to - bytes.from >= length) return clamped(bytes.from, length, size);
  return bytes.to > seen.to ? clamped(bytes.to - length, length, size) : seen;
}
