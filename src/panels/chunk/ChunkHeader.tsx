import { chunkName } from "../../core/chunk-grid.ts";
import type { Reading } from "../../core/reading.ts";
import { CopyButton } from "../../widgets/CopyButton.tsx";
import { formatShape } from "../../widgets/number-format.ts";
import { chunkTitle, isInGrid, type ChunkArray } from "./chunk-words.ts";
import { ChunkPlace } from "./ChunkPlace.tsx";
import { ChunkStatus } from "./ChunkStatus.tsx";
import { FirstChunkButton } from "./FirstChunkButton.tsx";
import type { Fill } from "./FillValue.tsx";
import type { Axes } from "../../store/use-cheap-axes.ts";
import styles from "./ChunkHeader.module.css";

interface ChunkHeaderProps {
  readonly array: ChunkArray;
  readonly coordinates: readonly number[];
  /** `undefined` until a chunk was read; of the chunk before while `pending`. */
  readonly reading: Reading | undefined;
  readonly pending: boolean;
  readonly fill: Fill;
  readonly axes: Axes;
}

/** Which chunk this is, where it lies in the array, the way to the chunks beside it, and how reading it went. */
export function ChunkHeader({ array, coordinates, reading, pending, fill, axes }: ChunkHeaderProps) {
  const read = pending ? undefined : reading;
  const key = read?.key ?? `${array.path === "" ? "" : `${array.path}/`}${chunkName(coordinates, ".")}`;
  return (
    <header className={styles.header}>
      <div className={styles.line}>
        <h2 title={key}>{chunkTitle(array, coordinates)}</h2>
        <CopyButton text={key} what="key" />
      </div>
      {isInGrid(array.grid, coordinates) ? (
        <>
          <ChunkPlace array={array} coordinates={coordinates} axes={axes} />
          <ChunkStatus reading={reading} pending={pending} fill={fill} />
        </>
      ) : (
        <OutsideGrid array={array} />
      )}
    </header>
  );
}

/** Where a link or a key names a chunk that the array does not have. */
function OutsideGrid({ array }: Pick<ChunkHeaderProps, "array">) {
  return (
    <>
      <p className={styles.only}>The array has no such chunk: its chunk grid is {formatShape(array.grid)}.</p>
      {array.grid.includes(0) ? null : <FirstChunkButton array={array} className={styles.first} />}
    </>
  );
}
