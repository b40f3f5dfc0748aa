/** What is known of what is under the pointer or the cursor. */
import type { ShardMap } from "../../../core/shard-map.ts";
import { LookedLine } from "../../../widgets/cell-map/Legend.tsx";
import { CopyButton } from "../../../widgets/CopyButton.tsx";
import { bareSentence, chunkSentence, chunkWords } from "./chunk-sentence.ts";
import { EntryMark } from "./EntryMark.tsx";
import type { Hover } from "./hover.ts";
import type { ShardArray, ShardPlace } from "./shard-props.ts";
import styles from "./ShardPanel.module.css";

export interface ChunkLineProps {
  readonly map: ShardMap;
  readonly array: ShardArray;
  readonly shard: ShardPlace;
  readonly looked: Hover | undefined;
  /** The cursor moves by keyboard: say it aloud. */
  readonly spoken: boolean;
}

export function ChunkLine({ map, array, shard, looked, spoken }: ChunkLineProps) {
  const inner = looked?.kind === "chunk" ? looked.inner : undefined;
  return (
    <LookedLine
      className={styles.chunkLine}
      spoken={spoken && inner !== undefined ? chunkSentence(map, array, shard, inner) : ""}
    >
      {looked === undefined ? (
        <Cut text="Point at a chunk, or move with the arrow keys; a click selects, Enter opens." />
      ) : looked.kind === "bare" ? (
        <Cut text={bareSentence(map, looked.bytes)} />
      ) : (
        <ChunkFacts map={map} array={array} shard={shard} inner={looked.inner} />
      )}
    </LookedLine>
  );
}

const Cut = ({ text }: { readonly text: string }) => (
  <span className={styles.cut} title={text}>
    {text}
  </span>
);

interface ChunkFactsProps extends Pick<ChunkLineProps, "map" | "array" | "shard"> {
  readonly inner: number;
}

function ChunkFacts({ map, array, shard, inner }: ChunkFactsProps) {
  const { coordinates, state, place, note } = chunkWords(map, array, shard, inner);
  const rest = [place, note].filter((part) => part !== "").join(", ");
  return (
    <>
      <code className={styles.chunkName} title={coordinates}>
        {coordinates}
      </code>
      <CopyButton text={coordinates} what="coordinates" />
      <EntryMark state={state} label />
      <Cut text={rest} />
      <span className={styles.entryNumber}>entry {inner.toLocaleString("en")}</span>
    </>
  );
}
