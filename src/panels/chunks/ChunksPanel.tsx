/** The view Chunks: the map of the grid, the table of references and, where chunks lie in shards, the shard's bytes. */
import { useRef, useState } from "react";
import type { NodeSummary, SetSummary } from "../../core/open-set.ts";
import { useActions, useAppState } from "../../store/react.tsx";
import { BrokenNode } from "../../widgets/BrokenNode.tsx";
import { EmptyState } from "../../widgets/EmptyState.tsx";
import type { ScaledRowsHandle } from "../../widgets/ScaledRows.tsx";
import { MapBesideTable } from "./MapBesideTable.tsx";
import { MapPart } from "./map/MapPart.tsx";
import { pointedChunk } from "./pointed-chunk.ts";
import { ShardLens } from "./shard/ShardLens.tsx";
import type { CellCursor } from "./table/cell-cursor.ts";
import { FilterBar } from "./table/FilterBar.tsx";
import { hasUnreadGrid } from "./table/manifest-pages.ts";
import { TablePart } from "./table/TablePart.tsx";
import { useOfRanges } from "./table/use-facets.ts";
import { useManifest } from "./table/use-manifest.ts";
import { useManifestTable } from "./table/use-manifest-table.ts";
import styles from "./ChunksPanel.module.css";

export function ChunksPanel() {
  const set = useAppState((state) => state.set);
  const path = useAppState((state) => state.node);
  const node = set?.nodes.find((one) => one.path === path);
  if (set === undefined || node === undefined) {
    return <EmptyState title="No reference set is open.">Open one to see its chunks.</EmptyState>;
  }
  if (node.kind === "broken" && !hasUnreadGrid(node)) return <Broken node={node} />;
  return <ChunksOf key={set.id} set={set} node={node} />;
}

function Broken({ node }: { readonly node: NodeSummary }) {
  const actions = useActions();
  return (
    <BrokenNode
      node={node}
      without="Without it, the array's chunks are not known."
      onShowMetadata={() => actions.showView("metadata")}
    />
  );
}

interface ChunksOfProps {
  readonly set: SetSummary;
  readonly node: NodeSummary;
}

function ChunksOf({ set, node }: ChunksOfProps) {
  const manifest = useManifest(set, node);
  const table = useManifestTable(manifest.sorting, set.rendered === true, useOfRanges(manifest));
  const [cursor, setCursor] = useState<CellCursor>({ row: 0, column: 0, anchor: 0 });
  const [said, setSaid] = useState("");
  const list = useRef<ScaledRowsHandle>(null);
  const [pointed] = useState(pointedChunk);
  const shared = { manifest, table, cursor, setCursor, list, onSay: setSaid };
  return (
    <div className={styles.panel}>
      <FilterBar {...shared} />
      {node.shardShape === undefined ? null : (
        <ShardLens key={`${set.id} ${node.path}`} set={set} node={node} shardShape={node.shardShape} />
      )}
      <MapBesideTable
        map={
          hasMap(node) ? (
            <MapPart key={`${set.id} ${node.path}`} set={set} node={node} grid={node.grid} pointed={pointed} />
          ) : undefined
        }
        table={<TablePart {...shared} pointed={pointed} said={said} />}
      />
    </div>
  );
}

/** A map of one chunk would say nothing, and groups have no grid of their own. */
function hasMap(node: NodeSummary): node is NodeSummary & { readonly grid: readonly number[] } {
  return node.kind === "array" && node.grid !== undefined && (node.cells ?? 0) > 1;
}
