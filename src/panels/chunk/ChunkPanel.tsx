import { EmptyState, Loading, useMessage } from "#widgets/notes/Notices.tsx";
import { type KeyboardEvent, lazy, type ReactNode, Suspense, useEffect, useMemo, useState } from "react";
import type { NodeSummary } from "#core/open-set.ts";
import { useActions, useAppState, usePendingWhileShown } from "#store/react.tsx";
import { shownNode } from "#store/state.ts";
import { formatBytes } from "#widgets/number-format.ts";
import { useTouch } from "#widgets/hooks.ts";
import { Button } from "#widgets/controls/Button.tsx";
import { type ChunkArray, chunkArrayOf, chunkTitle, decodedBytes, neighbourByKey } from "./chunk-words.ts";
import { FirstChunkButton } from "./FirstChunkButton.tsx";
import styles from "./ChunkPanel.module.css";

const loadReadingView = async () => {
  const { ChunkReadingView } = await import("./ChunkReadingView.tsx");
  return { default: ChunkReadingView };
};
const ChunkReadingView = lazy(loadReadingView);

/**
 * The Chunk region: everything about the selected chunk, read end to end. `handle`: where the region is a sheet, what it is
 * pulled up and down by.
 */
export function ChunkPanel({ handle }: { readonly handle?: ReactNode }) {
  const set = useAppState((state) => state.set);
  const coordinates = useAppState((state) => state.chunk);
  const actions = useActions();
  const node = useAppState(shownNode);
  const array = useMemo(() => chunkArrayOf(node), [node]);

  const hasArray = array !== undefined;
  // So that the first chunk is read without a wait. Where it fails, showing the chunk says so.
  useEffect(() => {
    if (hasArray) loadReadingView().catch(() => undefined);
  }, [hasArray]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (!event.altKey || event.ctrlKey || event.metaKey || array === undefined || coordinates === undefined) return;
    const next = neighbourByKey(event.key, array.grid, coordinates);
    if (next === undefined) return;
    event.preventDefault();
    actions.selectChunk(array.path, next);
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Alt with arrows, from any control inside
    <section className={styles.panel} aria-label="Chunk" tabIndex={-1} onKeyDown={onKeyDown}>
      {handle}
      {set === undefined || array === undefined || coordinates === undefined ? (
        <NoChunk node={node} array={array} />
      ) : (
        <Unasked array={array} coordinates={coordinates}>
          <Suspense fallback={<UnderWay />}>
            <ChunkReadingView key={`${set.id} ${array.path}`} set={set.id} array={array} coordinates={coordinates} />
          </Suspense>
        </Unasked>
      )}
    </section>
  );
}

/** Decoded bytes of a chunk that is read because it is selected; a link may select one of gigabytes. */
const MOST_UNASKED = 256 * 1024 ** 2;

interface UnaskedProps {
  readonly array: ChunkArray;
  readonly coordinates: readonly number[];
  readonly children: ReactNode;
}

/** A very large chunk is read only on request, with its size stated; others are read at once. */
function Unasked({ array, coordinates, children }: UnaskedProps) {
  const [allowed, allow] = useState<string>();
  const bytes = decodedBytes(array, coordinates);
  const title = chunkTitle(array, coordinates);
  if (bytes <= MOST_UNASKED || allowed === title) return children;
  return (
    <EmptyState title="Large chunk">
      <p>
        Chunk {title} decodes to {formatBytes(bytes)}, and reading it may take several times that much memory.
      </p>
      <Button onClick={() => allow(title)}>Read chunk</Button>
    </EmptyState>
  );
}

function UnderWay() {
  usePendingWhileShown("Loading the view");
  return <Loading label="Loading the view" />;
}

function NoChunk({ node, array }: { readonly node: NodeSummary | undefined; readonly array: ChunkArray | undefined }) {
  const reason = useMessage(node?.reason);
  const touch = useTouch();
  if (reason !== undefined) return <EmptyState title="Invalid metadata">{reason}</EmptyState>;
  if (array === undefined) {
    return (
      <EmptyState title="No chunk selected">
        Select an array, then a chunk in Data or Chunks, to see its values, request, decoding steps and bytes.
      </EmptyState>
    );
  }
  if (array.grid.includes(0)) {
    const empty = array.dimensions[array.grid.indexOf(0)] ?? "";
    return <EmptyState title="This array has no chunks">Its dimension {empty} has length 0.</EmptyState>;
  }
  return (
    <EmptyState title="No chunk selected">
      <p>
        {touch ? (
          "Tap a place in Data, or a row or a cell in Chunks."
        ) : (
          <>
            Click a row or a cell in Chunks, or a place in Data, or move there with the arrow keys and press{" "}
            <kbd>Enter</kbd>.
          </>
        )}
      </p>
      <FirstChunkButton array={array} />
    </EmptyState>
  );
}
