/** The map and the table side by side, or one above the other where there is no room; the border between them moves. */
import { useRef, useState, type ReactNode } from "react";
import { Group, Panel, Separator, useDefaultLayout } from "react-resizable-panels";
import { storageAt } from "../../store/browser-storage.ts";
import { useMeasuring } from "../../widgets/use-measuring.ts";
import styles from "./ChunksPanel.module.css";

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

export function MapBesideTable({ map, table }: MapBesideTableProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState<{ readonly width: number; readonly height: number }>();
  useMeasuring(frame, ({ clientWidth: width, clientHeight: height }) => {
    // A view that is not shown has no size.
    if (width > 0) setSize({ width, height });
  });
  const beside = size === undefined || size.width >= LEAST_BESIDE;
  return (
    <div ref={frame} className={styles.two}>
      {map === undefined || size === undefined ? (
        <div className={styles.part}>{size === undefined ? null : table}</div>
      ) : (
        <Both
          key={beside ? "beside" : "above"}
          beside={beside}
          first={beside ? mapWidth(size.width) : mapHeight(size.height)}
          map={map}
          table={table}
        />
      )}
    </div>
  );
}

interface BothProps extends MapBesideTableProps {
  readonly beside: boolean;
  /** What the map takes at first, in pixels. */
  readonly first: number;
}

function Both({ beside, first, map, table }: BothProps) {
  const id = beside ? "beside" : "above";
  const layout = useDefaultLayout({ id, panelIds: ["map", "table"], storage });
  return (
    <Group orientation={beside ? "horizontal" : "vertical"} {...layout}>
      <Panel
        id="map"
        defaultSize={first}
        minSize={beside ? LEAST_MAP : 120}
        groupResizeBehavior="preserve-pixel-size"
        className={styles.part}
      >
        {map}
      </Panel>
      <Separator className={styles.border} aria-label={beside ? "Width of the map" : "Height of the map"} />
      <Panel id="table" minSize={beside ? 260 : 120} className={styles.part}>
        {table}
      </Panel>
    </Group>
  );
}
