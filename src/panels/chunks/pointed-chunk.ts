/** The chunk under the pointer, in the map or in the table: each marks what the other points at. */
import { useStore } from "zustand";
import { createStore, type StoreApi } from "zustand/vanilla";

/** Coordinates; `undefined` while the pointer is on no chunk of the selected array. */
export type PointedChunk = StoreApi<{ readonly at: readonly number[] | undefined }>;

export const pointedChunk = (): PointedChunk => createStore(() => ({ at: undefined }));

/** Notes it; the same chunk again changes nothing. */
export function point(pointed: PointedChunk, at: readonly number[] | undefined): void {
  if (pointed.getState().at?.join() !== at?.join()) pointed.setState({ at });
}

export const usePointed = (pointed: PointedChunk): readonly number[] | undefined => useStore(pointed, ({ at }) => at);
