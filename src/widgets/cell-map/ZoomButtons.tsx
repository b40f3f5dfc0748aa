import styles from "./MapFrame.module.css";
import { Button } from "../controls/Button.tsx";

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
      <Button aria-label="Zoom out" title="Zoom out (−)" disabled={!zoomed} onClick={() => zoom(1 / 2)}>
        −
      </Button>
      <Button
        aria-label="Zoom in"
        title="Zoom in (+, or Ctrl and the wheel)"
        disabled={!magnifiable}
        onClick={() => zoom(2)}
      >
        +
      </Button>
      <Button title={`${all} (0)`} disabled={!zoomed} onClick={fit}>
        Fit
      </Button>
    </div>
  );
}
