import type { ChunkState } from "../../../core/reference.ts";
import { useEngine } from "../../../store/react.tsx";
import { StateMark, STATE_MEANING } from "../../../widgets/StateMark.tsx";
import { formatCount } from "../../../widgets/number-format.ts";
import { toggled } from "./filter-draft.ts";
import { useFacets } from "./use-facets.ts";
import type { Manifest } from "./use-manifest.ts";
import styles from "./FilterBar.module.css";

/** Most common first. */
const OFFERED: readonly ChunkState[] = ["range", "virtual", "whole", "inline", "native", "missing", "unknown", "bad"];

const NOT_LISTED = "Grids of more than 50 million chunks list only those that have a reference";

/** A toggle a state, with the number of rows that it would show. */
export function StateFacets({ manifest }: { readonly manifest: Manifest }) {
  const { set, node, draft, setDraft } = manifest;
  const counts = useFacets(manifest)?.states;
  // Those that the array or group does not have are left out; which these are does not change while one filters.
  const overview = useEngine("set.overview", { set: set.id, path: node.path }).data;
  const there = overview?.path === node.path ? overview.states : counts;
  const rowsOf = manifest.isArray ? OFFERED : OFFERED.filter((state) => state !== "missing");
  const offered = rowsOf.filter(
    (state) =>
      (state === "range" && set.isDocument) ||
      (there?.[state] ?? 0) > 0 ||
      (counts?.[state] ?? 0) > 0 ||
      draft.states.includes(state),
  );
  return (
    <div role="group" aria-label="States" className={styles.chips}>
      {offered.map((state) => (
        <button
          key={state}
          type="button"
          className={styles.chip}
          aria-pressed={draft.states.includes(state)}
          data-none={counts?.[state] === 0}
          disabled={state === "missing" && !manifest.listsMissing}
          title={state === "missing" && !manifest.listsMissing ? NOT_LISTED : STATE_MEANING[state]}
          onClick={() => setDraft({ ...draft, states: toggled(draft.states, state) })}
        >
          <span aria-hidden="true" className={styles.mark}>
            <StateMark state={state} />
          </span>
          {state} <b>{counts === undefined ? "–" : formatCount(counts[state])}</b>
        </button>
      ))}
    </div>
  );
}
