/** The legend of what changed between two snapshots: kinds with counts, and which snapshots. */
import { comparisonReason } from "../../../core/comparison-words.ts";
import type { NodeSummary } from "../../../core/open-set.ts";
import { CHANGES, type ChangeKind } from "../../../core/repository.ts";
import { LegendEntry } from "../../../widgets/cell-map/Legend.tsx";
import { CHANGE_BOX, CHANGE_MEANING, CHANGE_NAMES, CHANGE_SIGNS, shortSnapshot } from "./change-words.ts";
import type { Compared } from "./use-compared.ts";
import styles from "./MapPart.module.css";

interface ChangeEntriesProps {
  readonly node: NodeSummary;
  readonly compared: Compared;
}

export function ChangeEntries({ node, compared: { comparison, array } }: ChangeEntriesProps) {
  const { from, to } = comparison;
  return (
    <>
      {CHANGES.filter((kind) => array.kinds[kind] > 0).map((kind) => (
        <LegendEntry key={kind} title={CHANGE_MEANING[kind]} count={array.kinds[kind]}>
          <ChangeMark kind={kind} />
          {CHANGE_NAMES[kind]}
        </LegendEntry>
      ))}
      <LegendEntry swatch="unchanged">unchanged</LegendEntry>
      <LegendEntry title={`From snapshot ${from} to snapshot ${to}. ${comparisonReason(comparison.because)}`}>
        <span>
          from <code>{shortSnapshot(from)}</code> to <code>{shortSnapshot(to)}</code>
        </span>
      </LegendEntry>
      {node.shardShape === undefined ? null : (
        <li className={styles.faint}>counts are of shards; all chunks of a shard are coloured</li>
      )}
    </>
  );
}

/** A cell of the map as it is drawn for this kind. */
function ChangeMark({ kind }: { readonly kind: ChangeKind }) {
  return (
    <svg
      className={styles.changeMark}
      data-change={kind}
      viewBox={`0 0 ${CHANGE_BOX} ${CHANGE_BOX}`}
      aria-hidden="true"
    >
      <rect width={CHANGE_BOX} height={CHANGE_BOX} rx="1.5" />
      <path d={CHANGE_SIGNS[kind]} />
    </svg>
  );
}
