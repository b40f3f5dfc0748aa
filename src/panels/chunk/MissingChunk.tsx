import { cellCount, insideShape } from "../../core/chunk-grid.ts";
import { countOf } from "../../widgets/number-format.ts";
import type { ChunkArray } from "./chunk-words.ts";
import { isDefined, type Fill } from "./FillValue.tsx";
import styles from "./ChunkPanel.module.css";

interface MissingChunkProps {
  readonly array: ChunkArray;
  readonly coordinates: readonly number[];
  readonly fill: Fill;
}

/** In place of values where there is no reference: what that means, and that nothing failed. */
export function MissingChunk({ array, coordinates, fill }: MissingChunkProps) {
  const count = cellCount(insideShape(array.shape, array.chunks, coordinates));
  const all = count === 1 ? "Its only value is" : `All ${countOf(count, "value")} of it are`;
  const values = isDefined(fill) ? `${all} that fill value; nothing was requested.` : "Nothing was requested.";
  return (
    <p className={styles.missing}>{values} If the chunk should hold data, it was lost when the references were made.</p>
  );
}
