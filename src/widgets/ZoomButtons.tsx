export interface ZoomButtonsProps {
  /** Of the group, and of the button that shows all: "Zoom of the bytes", "Show all bytes". */
  readonly label: string;
  readonly all: string;
  readonly zoomed: boolean;
  readonly magnifiable: boolean;
  readonly onZoom: (factor: number) => void;
  readonly onFit: () => void;
  readonly className: string | undefined;
}

/** Of a picture that is moved in; the wheel and keys do the same. */
export function ZoomButtons({ label, all, zoomed, magnifiable, onZoom, onFit, className }: ZoomButtonsProps) {
  return (
    <div role="group" aria-label={label} className={className}>
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
      <button type="button" title={`${all} (0)`} disabled={!zoomed} onClick={onFit}>
        Fit
      </button>
    </div>
  );
}
