/** A shard of the selected array: its figures in a line, its bytes, and the grid of its inner chunks. */
import { useState } from "react";
import { cellCount, encodedShape, shardsInChunks } from "../../../core/chunk-grid.ts";
import { EmptyState } from "../../../widgets/EmptyState.tsx";
import { ErrorNotice } from "../../../widgets/ErrorNotice.tsx";
import { fillWords } from "../../../widgets/fill-words.ts";
import { Loading } from "../../../widgets/Loading.tsx";
import { countOf } from "../../../widgets/number-format.ts";
import { ShardHead } from "./ShardHead.tsx";
import { ShardMapView } from "./ShardMapView.tsx";
import { ShardSums } from "./ShardSums.tsx";
import { insideCounts, type ShardArray, type ShardColour, type ShardContent, type ShardPlace } from "./shard-props.ts";
import styles from "./ShardPanel.module.css";

export interface ShardPanelProps {
  readonly content: ShardContent;
  readonly array: ShardArray;
  readonly shard: ShardPlace;
  /** Shards along each dimension. */
  readonly shardGrid: readonly number[];
  /** The selected chunk's ordinal in the inner grid, where it lies in this shard. */
  readonly selected: number | undefined;
  readonly onSelect: (inner: number) => void;
  readonly onHover?: (inner: number | undefined) => void;
  /** Enter on a chunk. */
  readonly onOpenChunk: (inner: number) => void;
  readonly onShard: (coordinates: readonly number[]) => void;
  readonly onRetry?: () => void;
  readonly onCancel?: () => void;
}

export function ShardPanel(props: ShardPanelProps) {
  const { content, array, shard, shardGrid, onShard } = props;
  const [colour, setColour] = useState<ShardColour>("place");
  if (cellCount(shardGrid) === 0) {
    return <EmptyState title="This array has no shards.">One of its dimensions has length 0.</EmptyState>;
  }
  return (
    <section className={styles.panel} aria-label="Shard map">
      <ShardHead array={array} shard={shard} shardGrid={shardGrid} onShard={onShard}>
        {content.kind === "map" ? <ShardSums map={content.map} /> : null}
      </ShardHead>
      {content.kind === "map" ? (
        <ShardMapView
          // Another array has other dimensions, and a zoom of its own.
          key={array.path}
          {...props}
          map={content.map}
          stale={content.stale === true}
          colour={colour}
          onColour={setColour}
        />
      ) : (
        <Without {...props} content={content} />
      )}
    </section>
  );
}

interface WithoutProps extends Omit<ShardPanelProps, "content"> {
  readonly content: Exclude<ShardContent, { readonly kind: "map" }>;
}

/** In place of the map, where there is none. */
function Without({ content, array, shard, onRetry, onCancel }: WithoutProps) {
  if (content.kind === "loading") {
    return (
      <div className={styles.waiting}>
        <Loading label="Reading the shard's index" {...(onCancel === undefined ? {} : { onCancel })} />
      </div>
    );
  }
  if (content.kind === "damaged") {
    return (
      <div className={styles.without}>
        <ErrorNotice error={content.error} {...(onRetry === undefined ? {} : { onRetry })} />
        <p className={styles.faint}>Without the index, it is not known where the shard's inner chunks are.</p>
      </div>
    );
  }
  const innerGrid = encodedShape(shardsInChunks(array.shardShape, array.chunks), shard.coordinates);
  const chunks = cellCount(insideCounts(array, shard, innerGrid));
  return (
    <EmptyState title={`The shard ${shard.key} is missing`}>
      {countOf(chunks, "inner chunk")} of the array {chunks === 1 ? "lies" : "lie"} in it, and{" "}
      {chunks === 1 ? "reads" : "all read"} as {fillWords(array.fillValue)}. Go to another shard above.
    </EmptyState>
  );
}
