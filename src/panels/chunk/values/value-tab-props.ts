import type { Reading } from "#core/reading.ts";
import type { ChunkArray } from "../chunk-words.ts";
import type { Axes } from "#store/hooks/use-cheap-axes.ts";
import type { ValueView } from "./use-value-view.ts";

/** Props of a tab that shows values. */
export interface ValueTabProps {
  readonly set: number;
  readonly array: ChunkArray;
  readonly reading: Reading;
  readonly values: NonNullable<Reading["values"]>;
  readonly view: ValueView;
  readonly axes: Axes;
  /** Id of what says the value that is looked at, and telling it where the pointer is in the chunk. */
  readonly readout: string;
  readonly onHover: (element: readonly number[] | undefined) => void;
}
