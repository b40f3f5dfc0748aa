import styles from "./CellMap.module.css";

export interface ZoomButtonsProps {
  /** Names of the group and of the button that shows all: "Zoom of the bytes", "Show all bytes". */
  readonly label: string;
  readonly all: string;
  readonly zoomed: boolean;
  readonly magnifiable: boolean;
  readonly zoom: (factor: number) => void;
  readonly fit: () => void;
}

/** For a picture that is moved in; the wheel and keys do the same. */
export function ZoomButtons({ label, all, zoomed, magnifiable, zoom, fit }: ZoomButtonsProps) {
  return (
    <div role="group" aria-label={label} className={styles.zoom}>
      <button type="button" aria-label="Zoom out" title="Zoom out (−)" disabled={!zoomed} onClick={() => zoom(1 / 2)}>
        −
      </button>
      <button
        type="button"
        aria-label="Zoom in"
        title="Zoom in (+, or Ctrl and the wheel)"
        disabled={!magnifiable}
        onClick={() => zoom(2)}
      >
        +
      </button>
      <button type="button" title={`${all} (0)`} disabled={!zoomed} onClick={fit}>
        Fit
      </button>
    </div>
  );
}
