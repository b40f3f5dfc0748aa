import type { Reading } from "../../core/reading.ts";
import { useAppState } from "../../store/react.tsx";
import type { ChunkArray } from "./chunk-words.ts";
import type { Fill } from "./FillValue.tsx";
import { missingWords } from "./missing-words.ts";
import styles from "./ChunkPanel.module.css";

interface MissingChunkProps {
  readonly array: ChunkArray;
  readonly reading: Reading;
  readonly fill: Fill;
}

/** In place of values of a missing chunk: what that means, and that nothing failed. */
export function MissingChunk({ array, reading, fill }: MissingChunkProps) {
  const words = useAppState((state) => state.set?.words);
  return (
    <p className={styles.missing}>
      {missingWords(array, reading, fill, words?.unrequested ?? "")} If the chunk should hold data, {words?.lost}.
    </p>
  );
}
