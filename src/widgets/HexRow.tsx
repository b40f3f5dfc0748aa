import {
  byteAt,
  byteText,
  characterOf,
  classOf,
  offsetText,
  selectedRange,
  type ByteMark,
  type ByteSelection,
  type ByteWindow,
} from "./hex-view.ts";
import styles from "./HexView.module.css";

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
export function HexRow({ id, row, top, bytesPerRow, total, window, mark, selection }: HexRowProps) {
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
            {textOf(byteAt(window, offset))}
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

const textOf = (byte: number | undefined) => (byte === undefined ? "··" : byteText(byte));
const printed = (byte: number | undefined) => (byte === undefined ? "·" : characterOf(byte));
