/** A grid of latitudes and longitudes as a message of either edition describes it. */
import type { Rotation } from "./rotation.ts";

export type Wanted = "latitude" | "longitude";

export interface Grid {
  /** For errors: "grid definition template 3.40, Gaussian latitude/longitude". */
  readonly name: string;
  /** Number of points that the message states. */
  readonly points: number;
  /** Points of every row; of the longest one where rows have lengths of their own. */
  readonly columns: number;
  readonly rows: number;
  /** Points of each row, where they differ. */
  readonly rowLengths?: readonly number[] | undefined;
  readonly firstLatitude: number;
  readonly firstLongitude: number;
  readonly lastLatitude: number;
  readonly lastLongitude: number;
  /** Between rows; `undefined` where it is not given. */
  readonly rowStep: number | undefined;
  readonly westwards: boolean;
  readonly northwards: boolean;
  readonly columnsFirst: boolean;
  /** Parallels between a pole and the equator of a Gaussian grid. */
  readonly gaussian?: number;
  readonly rotation?: Rotation | undefined;
}
