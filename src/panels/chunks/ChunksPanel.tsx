/** The view Chunks: the map of the grid, the table of references and, where chunks lie in shards, the shard's bytes. */
import { type ReactNode, useRef, useState } from "react";
import { Group, Panel, Separator, useDefaultLayout } from "react-resizable-panels";
import type { NodeSummary, SetSummary } from "#core/open-set.ts";
import { storageAt } from "#store/browser-storage.ts";
import { useActions, useAppState, useCommand } from "#store/react.tsx";
import { shownNode } from "#store/state.ts";
import { EmptyState } from "#widgets/notes/Notices.tsx";
import { BrokenNode } from "#widgets/notes/part-notes.tsx";
import { useGridCursor } from "#widgets/data-grid/DataGrid.tsx";
import type { Area } from "#widgets/cell-map/camera.ts";
import { useMeasuring } from "#widgets/measuring.ts";
import styles from "./ChunksPanel.module.css";
import type { MapColour } from "./cell-colours.ts";
import { MapPart } from "./map/MapPart.tsx";
import { pointedChunk } from "./pointed-chunk.ts";
import { ShardLens } from "./shard/ShardLens.tsx";
import { FilterBar } from "./table/FilterBar.tsx";
import { TablePart } from "./table/TablePart.tsx";
import { hasUnreadGrid, useManifest, useManifestTable } from "./table/use-manifest.ts";

export function ChunksPanel() {
  const set = useAppState((state) => state.set);
  const node = useAppState(shownNode);
  const actions = useActions();
  if (set === undefined || node === undefined) {
    return <EmptyState title="No dataset open">Open a dataset to see its chunks.</EmptyState>;
  }
  if (node.kind !== "broken" || hasUnreadGrid(node)) return <ChunksOf key={set.id} set={set} node={node} />;
  return (
    <BrokenNode
      node={node}
      without="The array's chunks are unknown without it."
      onShowMetadata={() => actions.showView("metadata")}
    />
  );
}

function ChunksOf({ set, node }: { readonly set: SetSummary; readonly node: NodeSummary }) {
  const manifest = useManifest(set, node);
  const table = useManifestTable(manifest);
  const cursor = useGridCursor();
  const [said, setSaid] = useState("");
  const [pointed] = useState(pointedChunk);
  const [chosen, onColour] = useState<MapColour>();
  useCommand("colour-map", (command) => onColour(command.colour));
  const usual = node.shardShape === undefined ? "length" : "order";
  const colour = chosen === undefined || chosen === "order" ? usual : chosen;
  const shared = { manifest, table, cursor, onSay: setSaid };
  return (
    <div className="panel">
      <FilterBar {...shared} />
      {node.shardShape === undefined ? null : (
        <ShardLens key={`${set.id} ${node.path}`} {...{ set, node, pointed, colour }} shardShape={node.shardShape} />
      )}
      <MapBesideTable
        map={
          hasMap(node) ? (
            <MapPart key={`${set.id} ${node.path}`} {...{ set, node, pointed, colour, onColour }} grid={node.grid} />
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

// The map and the table side by side, or one above the other where there is no room; the border between them moves.

const storage = storageAt("refscope.chunks.1.");

/** Below this width the table would not show what it is for beside the map. */
const LEAST_BESIDE = 480;
const LEAST_MAP = 168;

const mapWidth = (width: number) => Math.max(LEAST_MAP, Math.min(360, Math.round(width * 0.36)));
const mapHeight = (height: number) => Math.min(340, Math.round(height * 0.48));

interface MapBesideTableProps {
  readonly map: ReactNode | undefined;
  readonly table: ReactNode;
}

function MapBesideTable({ map, table }: MapBesideTableProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState<Area>();
  useMeasuring(frame, ({ clientWidth: width, clientHeight: height }) => {
    // A view that is not shown has no size.
    if (width > 0) setSize({ width, height });
  });
  const id = size === undefined || size.width >= LEAST_BESIDE ? "beside" : "above";
  return (
    <div ref={frame} className="grow low">
      {map === undefined || size === undefined ? (
        <div className="low tall clip">{size === undefined ? null : table}</div>
      ) : (
        <Both key={id} {...{ id, size, map, table }} />
      )}
    </div>
  );
}

interface BothProps extends MapBesideTableProps {
  readonly id: "beside" | "above";
  readonly size: Area;
}

function Both({ id, size, map, table }: BothProps) {
  const beside = id === "beside";
  const layout = useDefaultLayout({ id, panelIds: ["map", "table"], storage });
  return (
    <Group orientation={beside ? "horizontal" : "vertical"} {...layout}>
      <Panel
        id="map"
        defaultSize={beside ? mapWidth(size.width) : mapHeight(size.height)}
        minSize={beside ? LEAST_MAP : 120}
        groupResizeBehavior="preserve-pixel-size"
        className="low tall clip"
      >
        {map}
      </Panel>
      <Separator className={styles.border} aria-label={beside ? "Width of the map" : "Height of the map"} />
      <Panel id="table" minSize={beside ? 260 : 120} className="low tall clip">
        {table}
      </Panel>
    </Group>
  );
}
