import type { Locations } from "../../core/location.ts";
import { useAppState, useSend } from "../../store/react.tsx";
import { countOf } from "../../widgets/number-format.ts";
import styles from "./SetViews.module.css";

/** At the foot of the tree: where targets are read from instead of where references say. */
export function LocationsButton() {
  const send = useSend();
  const rules = useAppState((state) => rulesOf(state.locations));
  return (
    <div className={styles.foot}>
      <button
        type="button"
        className={styles.view}
        title="Rewrite rules, credentials and region for the targets of references"
        onClick={() => send({ kind: "show-locations" })}
      >
        <svg viewBox="0 0 12 12" aria-hidden="true">
          <path d="M6 11C3.6 8.4 2.5 6.7 2.5 4.9a3.5 3.5 0 0 1 7 0C9.5 6.7 8.4 8.4 6 11zM6 3.7a1.2 1.2 0 1 1 0 2.4a1.2 1.2 0 1 1 0-2.4" />
        </svg>
        <span className={styles.label}>Locations</span>
        <span className={styles.count}>{rules === 0 ? "no rules" : countOf(rules, "rule")}</span>
      </button>
    </div>
  );
}

/** Each rewrite and credential is one, and so is what is said of null targets, of the region, of private addresses. */
function rulesOf({ rewrites, credentials, target, region, allowPrivate }: Locations): number {
  const others = [target !== undefined, region !== undefined, allowPrivate].filter(Boolean).length;
  return rewrites.length + credentials.length + others;
}
