import type { HealthSign } from "./variable-health.ts";
import styles from "./HealthMark.module.css";

/** Each sign has its own shape; in a box of 16 by 16. */
const SHAPES: Readonly<Record<HealthSign, string>> = {
  ok: "m3.5 8.5 3 3 6-7",
  partly: "M8 2.5a5.5 5.5 0 1 1 0 11a5.5 5.5 0 1 1 0-11zM8 2.5v11a5.5 5.5 0 0 0 0-11z",
  bad: "m4 4 8 8M12 4l-8 8",
  unknown: "M8 2.5a5.5 5.5 0 1 1 0 11a5.5 5.5 0 1 1 0-11z",
};

/** ✓ ◐ ✕ ○: the text beside it says what it means. */
export function HealthMark({ sign, title }: { readonly sign: HealthSign; readonly title?: string }) {
  const spoken = title === undefined ? { "aria-hidden": true } : { role: "img", "aria-label": title };
  return (
    <svg className={styles.mark} data-sign={sign} viewBox="0 0 16 16" {...spoken}>
      {title === undefined ? null : <title>{title}</title>}
      <path d={SHAPES[sign]} />
    </svg>
  );
}
