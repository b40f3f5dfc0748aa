import type { KeyboardEvent } from "react";
import { movedIndex } from "../../widgets/roving.ts";
import styles from "./ScaleSwitch.module.css";

interface ScaleSwitchProps {
  readonly scaled: boolean;
  readonly onScaled: (scaled: boolean) => void;
}

/** Values as stored, or with scale_factor, add_offset and fill value applied. */
export function ScaleSwitch({ scaled, onScaled }: ScaleSwitchProps) {
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.altKey) return;
    const moved = movedIndex(event.key, scaled ? 1 : 0, 2, "both");
    if (moved === undefined) return;
    event.preventDefault();
    onScaled(moved === 1);
    event.currentTarget.querySelectorAll<HTMLElement>("[role=radio]").item(moved).focus();
  };
  return (
    <div className={styles.switch} role="radiogroup" aria-label="Values shown" tabIndex={-1} onKeyDown={onKeyDown}>
      {[false, true].map((one) => (
        <button
          key={String(one)}
          type="button"
          role="radio"
          aria-checked={scaled === one}
          tabIndex={scaled === one ? 0 : -1}
          title={one ? "scale_factor, add_offset and fill value applied, as xarray does" : "Values as they are stored"}
          onClick={() => {
            onScaled(one);
          }}
        >
          {one ? "Scaled" : "Raw"}
        </button>
      ))}
    </div>
  );
}
