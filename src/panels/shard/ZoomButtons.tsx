import styles from "./ShardPanel.module.css";

export interface ZoomButtonsProps {
  /** What is zoomed, for the names: "bytes", "grid". */
  readonly what: string;
  readonly zoomed: boolean;
  readonly magnifiable: boolean;
  readonly onZoom: (factor: number) => void;
  readonly onFit: () => void;
}

export function ZoomButtons({ what, zoomed, magnifiable, onZoom, onFit }: ZoomButtonsProps) {
  return (
    <div role="group" aria-label={`Zoom of the ${what}`} className={styles.zoom}>
      <button
        type="button"
        aria-label="Zoom out"
        title="Zoom out (−)"
        disabled={!zoomed}
        onClick={() => {
          onZoom(1 / 2);
        }}
      >
        −
      </button>
      <button
        type="button"
        aria-label="Zoom in"
        title="Zoom in (+, or Ctrl and the wheel)"
        disabled={!magnifiable}
        onClick={() => {
          onZoom(2);
        }}
      >
        +
      </button>
      <button type="button" title={`Show all ${what} (0)`} disabled={!zoomed} onClick={onFit}>
        Fit
      </button>
    </div>
  );
}
