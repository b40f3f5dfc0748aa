/**
 * Gestures of pointers, wheel and keys on a picture that can be moved. Points are CSS pixels from its top left corner.
 */
import { useEffect, useEffectEvent, useRef } from "react";
import type { FocusEvent, KeyboardEvent, PointerEvent, RefObject } from "react";
import type { Point } from "./camera.ts";
import type { Press } from "../controls/roving.ts";

/** How far one or two fingers have moved since they took hold. */
export interface Hold {
  readonly across: number;
  readonly down: number;
  /** How much farther apart two are; 1 for one. */
  readonly factor: number;
  /** Point at which they took hold: the middle of two. */
  readonly at: Point;
}

export interface Gestures {
  /** `undefined`: the pointer left, or the keys took over. */
  readonly onPoint: (at: Point | undefined) => void;
  readonly onClick: (at: Point) => void;
  /** Gives what moves and magnifies what is seen now. */
  readonly onGrab: () => (hold: Hold) => void;
  /** The wheel, in pixels; false where there is nothing to move: the page scrolls. */
  readonly onWheel: (across: number, down: number) => boolean;
  /** Without a point: at the cursor. */
  readonly onZoom: (factor: number, at?: Point) => void;
  readonly onFit: () => void;
  /** Handles a key; true if it moved the cursor. */
  readonly onKey: (press: Press) => boolean;
  /** Enter or the space bar. */
  readonly onOpen?: (() => void) | undefined;
  /** Called when the keyboard's focus comes or goes. */
  readonly onFocus: (focused: boolean) => void;
}

export function useGestures(frame: RefObject<HTMLElement | null>, gestures: Gestures) {
  useWheel(frame, gestures);
  return { ...usePointer(gestures), ...keyHandlers(gestures) };
}

function pointIn(
  element: Element,
  { clientX, clientY }: { readonly clientX: number; readonly clientY: number },
): Point {
  const box = element.getBoundingClientRect();
  return { x: clientX - box.left, y: clientY - box.top };
}

/** A pointer that moved no farther meant a click. */
const CLICK_TOLERANCE = 4;

/** `from` and `to`: where each of one or two pointers was and is. */
export function holdOf(from: readonly Point[], to: readonly Point[]): Hold {
  const at = middleOf(from);
  const now = middleOf(to);
  const factor = from.length === 2 ? spread(to) / spread(from) : 1;
  return { across: now.x - at.x, down: now.y - at.y, factor, at };
}

function middleOf(points: readonly Point[]): Point {
  const mean = (side: "x" | "y") => points.reduce((sum, point) => sum + point[side], 0) / Math.max(1, points.length);
  return { x: mean("x"), y: mean("y") };
}

const spread = ([a, b]: readonly Point[]) =>
  a === undefined || b === undefined ? 1 : Math.max(1, Math.hypot(a.x - b.x, a.y - b.y));

interface Held {
  /** Points by pointer id. */
  readonly from: ReadonlyMap<number, Point>;
  readonly now: Map<number, Point>;
  readonly move: (hold: Hold) => void;
  moved: boolean;
}

/** Moving shows, a click selects, dragging moves what is seen, two fingers magnify it. */
function usePointer({ onPoint, onClick, onGrab }: Gestures) {
  const held = useRef<Held>(undefined);
  const hold = (now: Map<number, Point>, moved: boolean) => {
    held.current = now.size === 0 ? undefined : { from: new Map(now), now, move: onGrab(), moved };
  };
  /** Ends a press; true if it was a click. */
  const release = ({ pointerId }: PointerEvent<HTMLElement>): boolean => {
    const { current } = held;
    if (current?.now.delete(pointerId) !== true) return false;
    hold(current.now, true);
    return !current.moved;
  };
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      const now = held.current?.now ?? new Map<number, Point>();
      if (event.button !== 0 || now.size === 2) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      const isSecond = now.size > 0;
      hold(now.set(event.pointerId, pointIn(event.currentTarget, event)), isSecond);
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const at = pointIn(event.currentTarget, event);
      const { current } = held;
      if (current === undefined) onPoint(at);
      if (current?.now.has(event.pointerId) !== true) return;
      current.now.set(event.pointerId, at);
      const change = holdOf([...current.from.values()], [...current.now.values()]);
      current.moved ||= Math.hypot(change.across, change.down) > CLICK_TOLERANCE;
      if (current.moved) current.move(change);
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      if (release(event)) onClick(pointIn(event.currentTarget, event));
    },
    onPointerCancel: release,
    onPointerLeave: () => onPoint(undefined),
  };
}

/**
 * With Ctrl the wheel zooms, else it moves what is seen. React's wheel listeners cannot keep the page from scrolling.
 */
function useWheel(frame: RefObject<HTMLElement | null>, gestures: Gestures): void {
  const onWheel = useEffectEvent((event: WheelEvent) => {
    if (event.ctrlKey || event.metaKey) {
      gestures.onZoom(Math.exp(-event.deltaY / 300), pointIn(event.currentTarget as Element, event));
    } else {
      const [across, down] = event.shiftKey ? [event.deltaY, 0] : [event.deltaX, event.deltaY];
      if (!gestures.onWheel(across, down)) return;
    }
    event.preventDefault();
  });
  useEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    const listener = (event: WheelEvent) => onWheel(event);
    element.addEventListener("wheel", listener, { passive: false });
    return () => element.removeEventListener("wheel", listener);
  }, [frame]);
}

const ZOOM_STEP = 1.5;

function keyHandlers(gestures: Gestures) {
  const { onFocus, onPoint } = gestures;
  return {
    onKeyDown: (event: KeyboardEvent) => {
      if (event.altKey || !takesKey(gestures, { key: event.key, ctrl: event.ctrlKey || event.metaKey })) return;
      event.preventDefault();
      onPoint(undefined);
      onFocus(true);
    },
    onFocus: (event: FocusEvent) => onFocus(event.currentTarget.matches(":focus-visible")),
    onBlur: () => onFocus(false),
  };
}

function takesKey({ onKey, onOpen, onZoom, onFit }: Gestures, press: Press): boolean {
  if (onKey(press)) return true;
  if (press.ctrl) return false;
  switch (press.key) {
    case "Enter":
    case " ":
      onOpen?.();
      return onOpen !== undefined;
    case "+":
    case "=":
      onZoom(ZOOM_STEP);
      return true;
    case "-":
      onZoom(1 / ZOOM_STEP);
      return true;
    case "0":
      onFit();
      return true;
    default:
      return false;
  }
}
