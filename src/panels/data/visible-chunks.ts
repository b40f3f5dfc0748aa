/** Which chunks of the plane are on the screen: they are read first. */
import { useState } from "react";

export interface SeenChunks {
  /** First and last, both seen. */
  readonly rows: readonly [number, number];
  readonly columns: readonly [number, number];
}

export function useVisibleChunks() {
  const [kept] = useState(() => {
    let seen: SeenChunks | undefined;
    return {
      see: (next: SeenChunks) => {
        seen = next;
      },
      isSeen: (row: number, column: number) =>
        seen === undefined ||
        (row >= seen.rows[0] && row <= seen.rows[1] && column >= seen.columns[0] && column <= seen.columns[1]),
    };
  });
  return kept;
}
