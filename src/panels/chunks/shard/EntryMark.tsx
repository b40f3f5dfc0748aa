import { isDamaged, type EntryState } from "#core/table/shard-map.ts";
import { STATE_MEANING, STATE_WORDS } from "./chunk-sentence.ts";
import styles from "./StripPart.module.css";
import { Icon } from "#widgets/Icon.tsx";

/** The same shapes as in the grid: full, hollow, two bars, a cross. Drawn in a box of 10 by 10. */
function shapeOf(state: EntryState): string {
  if (state === "empty") return "M1 1h8v8h-8z";
  if (state === "shared") return "M0 1.5h10v2.6h-10zM0 5.9h10v2.6h-10z";
  return isDamaged(state)
    ? "M1.9 0.5l3.1 3.1l3.1-3.1l1.4 1.4l-3.1 3.1l3.1 3.1l-1.4 1.4l-3.1-3.1l-3.1 3.1l-1.4-1.4l3.1-3.1l-3.1-3.1z"
    : "M0.5 0.5h9v9h-9z";
}

/** With the state beside it. */
export function EntryMark({ state }: { readonly state: EntryState }) {
  const kind = isDamaged(state) ? "damaged" : state;
  return (
    <span className="inline-row gap-6 rigid" title={STATE_MEANING[state]}>
      <Icon className={styles.mark} data-state={kind} side={10} path={shapeOf(state)} />
      {STATE_WORDS[state]}
    </span>
  );
}
