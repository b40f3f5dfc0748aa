import { type KeyboardEvent, type PointerEvent, type RefObject, useCallback, useId, useRef, useState } from "react";
import { CopyButton, Form, TextField } from "../controls/Button.tsx";
import styles from "./HexView.module.css";
import { type RowRange, ScaledRows, type ScaledRowsHandle } from "./ScaledRows.tsx";
import { copyText } from "../controls/hand-out.ts";
import { useElementWidth } from "../measuring.ts";
import {
  byteAt,
  type ByteMark,
  type ByteSelection,
  byteText,
  type ByteWindow,
  characterOf,
  classOf,
  type HexGeometry,
  hexText,
  movedSelection,
  offsetText,
  parseOffset,
  selectedRange,
  windowFor,
} from "./hex-view.ts";

export interface HexViewProps {
  /** Name of the bytes: "Bytes after zlib". */
  readonly label: string;
  /** Number of bytes there are. */
  readonly total: number;
  /** Those known; rows outside are drawn as waiting. */
  readonly window: ByteWindow | undefined;
  /** Asks for bytes, `to` excluded; called when what is seen changes. */
  readonly onWindow: (from: number, to: number) => void;
  /** For copying what lies outside the window. */
  readonly readBytes: (from: number, to: number) => Promise<Uint8Array>;
  /** Bytes that mean something together, such as a signature: marked, with what they are as a title. `to` excluded. */
  readonly mark?: ByteMark | undefined;
  /** More about a byte: its place in the file. */
  readonly describe?: (offset: number) => string;
}

const ROW_HEIGHT = 18;
const MAX_ROWS_SEEN = 16;
const WIDE_ENOUGH_FOR_16 = 470;
/** Longest selection that is copied. */
const MAX_COPIED = 1_000_000;

/** Offset, bytes and ASCII, for any number of bytes, with a byte cursor and a selection. */
export function HexView({ label, total, window, mark, onWindow, readBytes, describe }: HexViewProps) {
  const [frame, width] = useElementWidth<HTMLDivElement>();
  const bytesPerRow = width >= WIDE_ENOUGH_FOR_16 ? 16 : 8;
  const rows = useRef<ScaledRowsHandle>(null);
  const { selection, select, copySelected, attributes } = useSelection(rows, { total, bytesPerRow }, readBytes);
  const id = useId();
  const onSeen = useCallback(
    (seen: RowRange) => {
      const wanted = windowFor(seen.from * bytesPerRow, seen.to * bytesPerRow, total);
      if (wanted.to > wanted.from) onWindow(wanted.from, wanted.to);
    },
    [bytesPerRow, total, onWindow],
  );
  const rowCount = Math.ceil(total / bytesPerRow);
  return (
    <div ref={frame} className="narrow">
      <div className={styles.rows} style={{ height: Math.min(MAX_ROWS_SEEN, rowCount) * ROW_HEIGHT + 2 }}>
        <ScaledRows
          rows={rowCount}
          rowHeight={ROW_HEIGHT}
          headHeight={0}
          head={null}
          width={0}
          handle={rows}
          onSeen={onSeen}
          attributes={{
            ...attributes,
            role: "grid",
            tabIndex: 0,
            "aria-label": label,
            "aria-rowcount": rowCount,
            "aria-activedescendant": `${id}-${Math.floor(selection.cursor / bytesPerRow)}`,
            "aria-describedby": `${id}-read`,
          }}
          renderRow={(row, top) => (
            <HexRow key={row} id={`${id}-${row}`} {...{ row, top, bytesPerRow, total, window, mark, selection }} />
          )}
        />
      </div>
      <div className={styles.foot}>
        <p id={`${id}-read`} className={styles.readout} aria-live="polite">
          {readout(selection, byteAt(window, selection.cursor), total, describe)}
        </p>
        <OffsetField total={total} onGo={(offset) => select({ anchor: offset, cursor: offset }, "centre")} />
        <CopyButton text={copySelected} what={selection.anchor === selection.cursor ? "byte" : "selected bytes"} />
      </div>
    </div>
  );
}

/** The byte cursor and what is selected, by pointer and keyboard. */
function useSelection(
  rows: RefObject<ScaledRowsHandle | null>,
  { total, bytesPerRow }: Pick<HexGeometry, "total" | "bytesPerRow">,
  readBytes: HexViewProps["readBytes"],
) {
  const [selection, setSelection] = useState<ByteSelection>({ anchor: 0, cursor: 0 });
  const select = (next: ByteSelection, align: "nearest" | "centre" = "nearest") => {
    setSelection(next);
    rows.current?.show(Math.floor(next.cursor / bytesPerRow), align);
  };
  const copySelected = async () => {
    const { from, last } = selectedRange(selection);
    return hexText(await readBytes(from, Math.min(last + 1, from + MAX_COPIED)));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, shiftKey: shift } = event;
    const ctrl = event.ctrlKey || event.metaKey;
    if (event.altKey) return;
    if (ctrl && key === "c") void copySelected().then(copyText);
    const geometry = { total, bytesPerRow, rowsPerPage: rows.current?.rowsPerPage() ?? 1 };
    const moved = movedSelection({ key, ctrl, shift }, selection, geometry);
    if (moved === undefined) return;
    event.preventDefault();
    select(moved);
  };
  const attributes = { ...pointerAttributes(selection, setSelection), onKeyDown };
  return { selection, select, copySelected, attributes };
}

function readout(
  selection: ByteSelection,
  byte: number | undefined,
  total: number,
  describe: ((offset: number) => string) | undefined,
): string {
  const { from, last } = selectedRange(selection);
  const place = `byte ${selection.cursor.toLocaleString("en")} (0x${offsetText(selection.cursor, total)})`;
  const more = describe === undefined ? "" : ` · ${describe(selection.cursor)}`;
  if (last > from) return `${(last - from + 1).toLocaleString("en")} bytes selected, ${place}${more}`;
  const value = byte === undefined ? "…" : `0x${byteText(byte)} = ${byte}`;
  const character = byte === undefined || characterOf(byte) === "." ? "" : ` “${characterOf(byte)}”`;
  return `${place}: ${value}${character}${more}`;
}

function pointerAttributes(selection: ByteSelection, setSelection: (next: ByteSelection) => void) {
  const offsetOf = (event: PointerEvent): number | undefined => {
    const text = (event.target as Element).getAttribute("data-at");
    return text === null ? undefined : Number(text);
  };
  return {
    onPointerDown: (event: PointerEvent) => {
      const offset = offsetOf(event);
      if (offset === undefined) return;
      setSelection({ cursor: offset, anchor: event.shiftKey ? selection.anchor : offset });
    },
    onPointerMove: (event: PointerEvent) => {
      if (event.buttons !== 1) return;
      const offset = offsetOf(event);
      if (offset !== undefined && offset !== selection.cursor) setSelection({ ...selection, cursor: offset });
    },
  };
}

interface HexRowProps {
  readonly id: string;
  readonly row: number;
  /** CSS pixels from the upper edge of what is seen. */
  readonly top: number;
  readonly bytesPerRow: number;
  readonly total: number;
  readonly window: ByteWindow | undefined;
  readonly mark: ByteMark | undefined;
  readonly selection: ByteSelection;
}

/** One line of a hex view. Bytes not yet known are two middle dots. */
function HexRow({ id, row, top, bytesPerRow, total, window, mark, selection }: HexRowProps) {
  const start = row * bytesPerRow;
  const length = Math.max(0, Math.min(bytesPerRow, total - start));
  const offsets = Array.from({ length }, (_, place) => start + place);
  const selected = selectedRange(selection);
  const marks = (offset: number) => {
    const byte = byteAt(window, offset);
    return {
      "data-at": offset,
      "data-class": byte === undefined ? "waiting" : classOf(byte),
      "data-selected": offset >= selected.from && offset <= selected.last,
      "data-cursor": offset === selection.cursor,
      ...(mark !== undefined && offset >= mark.from && offset < mark.to
        ? { "data-mark": true, title: mark.title }
        : {}),
    };
  };
  return (
    <div id={id} role="row" aria-rowindex={row + 1} className={styles.row} style={{ top }}>
      <span role="rowheader" className={styles.offset}>
        {offsetText(start, total)}
      </span>
      <span role="gridcell" className={styles.bytes} data-count={bytesPerRow}>
        {offsets.map((offset) => (
          <span key={offset} {...marks(offset)}>
            {shownByte(byteAt(window, offset))}
          </span>
        ))}
      </span>
      <span role="gridcell" className={styles.ascii}>
        {offsets.map((offset) => (
          <span key={offset} {...marks(offset)}>
            {printed(byteAt(window, offset))}
          </span>
        ))}
      </span>
    </div>
  );
}

const shownByte = (byte: number | undefined) => (byte === undefined ? "··" : byteText(byte));
const printed = (byte: number | undefined) => (byte === undefined ? "·" : characterOf(byte));

interface OffsetFieldProps {
  readonly total: number;
  readonly onGo: (offset: number) => void;
  /** Its name; also the placeholder. */
  readonly label?: string;
}

/** Goes to a byte by its offset, decimal or `0x…`. */
export function OffsetField({ total, onGo, label = "Go to offset" }: OffsetFieldProps) {
  const [text, setText] = useState("");
  const offset = parseOffset(text, total);
  const wrong = text.trim() !== "" && offset === undefined;
  return (
    <Form
      className={`relative ${styles.go}`}
      onSubmit={() => {
        if (offset !== undefined) onGo(offset);
      }}
    >
      <TextField
        aria-label={label}
        placeholder={label}
        title={`A byte from 0 to ${(total - 1).toLocaleString("en")}, decimal or 0x…, then Enter`}
        aria-invalid={wrong}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {wrong ? <span role="alert" className={styles.wrong}>{`0 to ${(total - 1).toLocaleString("en")}`}</span> : null}
    </Form>
  );
}
