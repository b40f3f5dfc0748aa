import type { Reading } from "../../core/reading.ts";
import type { ChunkArray } from "./chunk-words.ts";
import type { Fill } from "./FillValue.tsx";
import { missingWords } from "./missing-words.ts";
import styles from "./ChunkPanel.module.css";

interface MissingChunkProps {
  readonly array: ChunkArray;
  readonly reading: Reading;
  readonly fill: Fill;
}

/** In place of values where there is no reference: what that means, and that nothing failed. */
export function MissingChunk({ array, reading, fill }: MissingChunkProps) {
  return (
    <p className={styles.missing}>
      {missingWords(array, reading, fill)} If the chunk should hold data, it was lost when the references were made.
    </p>
  );
}
