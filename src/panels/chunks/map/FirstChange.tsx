/** The way to the first chunk that changed, which may be in another slice than the one in sight. */
import { firstToSelect, LOOKED_THROUGH } from "../../../core/changed-chunk.ts";
import type { NodeSummary } from "../../../core/open-set.ts";
import { LegendEntry } from "../../../widgets/cell-map/Legend.tsx";
import { useEngine } from "../../../store/react.tsx";

interface FirstChangeProps {
  readonly set: number;
  readonly node: NodeSummary;
  readonly onGoTo: (coordinates: readonly number[]) => void;
}

/** For one comparison: it has a key of its own. */
export function FirstChange({ set, node, onGoTo }: FirstChangeProps) {
  const { data } = useEngine("repository.changedChunks", { set, path: node.path, from: 0, to: LOOKED_THROUGH });
  const first = data === undefined ? undefined : firstToSelect(node, data.chunks);
  if (first === undefined) return null;
  return (
    <LegendEntry>
      <button type="button" data-kind="link" onClick={() => onGoTo(first)}>
        First changed chunk
      </button>
    </LegendEntry>
  );
}
