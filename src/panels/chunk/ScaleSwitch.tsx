import type { KeyboardEvent } from "react";
import { movedIndex } from "../../widgets/roving.ts";
import styles from "./ScaleSwitch.module.css";

interface ScaleSwitchProps {
  readonly scaled: boolean;
  readonly onScaled: (scaled: boolean) => void;
  /** What the CF view does to the stored values. */
  readonly words: string;
}

/** Values as stored, or as the CF attributes say: scaled, masked, as dates. */
export function ScaleSwitch({ scaled, onScaled, words }: ScaleSwitchProps) {
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
          title={one ? `As xarray decodes the CF attributes: ${words}` : "Values as they are stored"}
          onClick={() => {
            onScaled(one);
          }}
        >
          {one ? "CF view" : "Raw"}
        </button>
      ))}
    </div>
  );
}
