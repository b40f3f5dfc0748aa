import { type KeyboardEvent, type PointerEvent, useRef, useState } from "react";
import { ChunkPanel } from "../panels/chunk/ChunkPanel.tsx";
import { useAppState } from "../store/react.tsx";
import { Button } from "../widgets/controls/Button.tsx";
import styles from "./ChunkSheet.module.css";

/** The three heights of the sheet of a chunk: its name and how reading it went, half of the screen, all of it. */
const SHEET_HEIGHTS = ["peek", "half", "full"] as const;
type SheetHeight = (typeof SHEET_HEIGHTS)[number];

/** Heights at which the sheet rests, as shares of the room: name and outcome take about a sixth. */
const RESTS: Readonly<Record<SheetHeight, number>> = { peek: 1 / 6, half: 1 / 2, full: 1 };

/** Half a sheet would leave too little of the picture: on low screens, and on wide ones that the picture fills. */
const LOW = "(max-height: 560px), (min-width: 761px)";

/** One step up or down; the last one either way stays. */
export function nextHeight(height: SheetHeight, step: 1 | -1): SheetHeight {
  return SHEET_HEIGHTS[SHEET_HEIGHTS.indexOf(height) + step] ?? height;
}

/** Height at which a released sheet comes to rest. */
export function nearestHeight(pixels: number, room: number): SheetHeight {
  const part = room > 0 ? pixels / room : 0;
  const away = (height: SheetHeight) => Math.abs(RESTS[height] - part);
  return SHEET_HEIGHTS.toSorted((a, b) => away(a) - away(b))[0] ?? "half";
}

/** The Chunk region where there are no three columns: a sheet at the foot of the page, there while a chunk is selected. */
export function ChunkSheet() {
  const hasChunk = useAppState((state) => state.chunk !== undefined);
  return hasChunk ? <Sheet /> : null;
}

function Sheet() {
  const [height, setHeight] = useState<SheetHeight>(() => (matchMedia(LOW).matches ? "peek" : "half"));
  const sheet = useRef<HTMLDivElement>(null);
  const drag = useDrag(sheet, setHeight);
  const pixels = drag.pixels;
  // While it is dragged it shows what it would show there.
  const shown = pixels === undefined ? height : nearestHeight(pixels.now, pixels.room);
  return (
    <div
      ref={sheet}
      className={styles.sheet}
      data-sheet={shown}
      data-dragged={pixels !== undefined}
      style={pixels === undefined ? undefined : { height: pixels.now }}
    >
      <ChunkPanel handle={<Handle height={height} onHeight={setHeight} drag={drag} />} />
    </div>
  );
}

/** Effect of a press on the handle. */
const NEXT: Readonly<Record<SheetHeight, string>> = {
  peek: "Show more of the chunk",
  half: "Show the chunk on the whole screen",
  full: "Show only the chunk's name",
};

interface HandleProps {
  readonly height: SheetHeight;
  readonly onHeight: (height: SheetHeight) => void;
  readonly drag: Drag;
}

/** Dragged, pressed (each press another height), or moved with the arrow keys. */
function Handle({ height, onHeight, drag }: HandleProps) {
  const onKeyDown = ({ key, altKey }: KeyboardEvent) => {
    if (altKey) return;
    if (key === "ArrowUp") onHeight(nextHeight(height, 1));
    if (key === "ArrowDown") onHeight(nextHeight(height, -1));
  };
  return (
    <Button
      className={styles.handle}
      aria-label={NEXT[height]}
      title={`${NEXT[height]}: press, drag, or ↑ and ↓`}
      onKeyDown={onKeyDown}
      onClick={() => {
        if (!drag.wasDragged()) onHeight(height === "full" ? "peek" : nextHeight(height, 1));
      }}
      {...drag.handlers}
    />
  );
}

/** Pixels that a finger trembles. */
const STILL = 6;

interface Grip {
  readonly y: number;
  readonly height: number;
  /** Most that the sheet can have. */
  readonly room: number;
}

function useDrag(sheet: { readonly current: HTMLDivElement | null }, onHeight: (height: SheetHeight) => void) {
  const grip = useRef<Grip>(undefined);
  const dragged = useRef(false);
  const [pixels, setPixels] = useState<{ readonly now: number; readonly room: number }>();
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    const { current } = sheet;
    if (current === null) return;
    dragged.current = false;
    const room =
      current.getBoundingClientRect().bottom - (current.previousElementSibling?.getBoundingClientRect().top ?? 0);
    grip.current = { y: event.clientY, height: current.offsetHeight, room };
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const onPointerMove = ({ clientY }: PointerEvent) => {
    const from = grip.current;
    if (from === undefined) return;
    const by = from.y - clientY;
    if (!dragged.current && Math.abs(by) < STILL) return;
    dragged.current = true;
    setPixels({ now: Math.max(0, Math.min(from.room, from.height + by)), room: from.room });
  };
  const end = () => {
    grip.current = undefined;
    if (pixels !== undefined) onHeight(nearestHeight(pixels.now, pixels.room));
    setPixels(undefined);
  };
  const handlers = { onPointerDown, onPointerMove, onPointerUp: end, onPointerCancel: end };
  /** True if the click that follows ends a drag. */
  const wasDragged = () => dragged.current;
  return { pixels, handlers, wasDragged };
}

type Drag = ReturnType<typeof useDrag>;
