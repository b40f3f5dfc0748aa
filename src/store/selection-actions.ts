/** What of the open set is looked at. */
import type { StoreApi } from "zustand/vanilla";
import type { ViewName } from "./address.ts";
import type { AppState } from "./state.ts";
import { isArrayView, leavesForChunk, viewOfNode } from "./view-of-node.ts";

export interface SelectionActions {
  selectNode(path: string): void;
  /** Also selects the array. */
  selectChunk(array: string, coordinates: readonly number[]): void;
  clearChunk(): void;
  showView(view: ViewName): void;
  /** Of the set, whatever is selected. */
  showOverview(): void;
  /** In Sources; a chunk of another target is left. */
  showTarget(target: string | null): void;
  /** The target of the selected chunk, which is shown when the chunk is left. */
  noteTarget(target: string | null): void;
  /** The bytes of a chunk among those of its target, in Sources. */
  showInSources(array: string, coordinates: readonly number[]): void;
  /** Where in the selected array one looks: the slice that Data shows, and the element. */
  showPlace(place: Pick<AppState, "slice" | "point">): void;
  /** An element and the chunk that holds it, which is selected. */
  selectElement(array: string, coordinates: readonly number[], place: Pick<AppState, "slice" | "point">): void;
}

/** Nothing of an array is looked at. */
const NO_PLACE = { chunk: undefined, slice: undefined, point: undefined } as const;

export function selectionActions(store: StoreApi<AppState>): SelectionActions {
  return {
    ...sourceActions(store),
    selectNode(path) {
      const { node, set, view, arrayView } = store.getState();
      const shown = set?.nodes.find((one) => one.path === path);
      store.setState({
        view: viewOfNode(shown, view, arrayView),
        ...(path === node ? {} : { node: path, ...NO_PLACE }),
      });
    },
    selectChunk: (array, coordinates) => {
      const { node, chunk, view, arrayView } = store.getState();
      const isOther = array !== node;
      // The element is of the chunk that was selected.
      const isSame = !isOther && chunk?.join() === coordinates.join();
      store.setState({
        node: array,
        chunk: coordinates,
        view: leavesForChunk(view) ? arrayView : view,
        ...(isOther ? { slice: undefined } : {}),
        ...(isSame ? {} : { point: undefined }),
      });
    },
    showPlace: ({ slice, point }) => {
      store.setState({ slice, point });
    },
    selectElement: (array, coordinates, { slice, point }) => {
      store.setState({ node: array, chunk: coordinates, slice, point });
    },
    clearChunk: () => {
      store.setState({ chunk: undefined });
    },
    showView: (view) => {
      const { node, set } = store.getState();
      const isGroup = set?.nodes.find((one) => one.path === node)?.kind === "group";
      const isOfSet = view === "check" || (view === "overview" && !isGroup);
      store.setState({
        view,
        ...(isArrayView(view) ? { arrayView: view } : {}),
        ...(isOfSet && node !== "" ? { node: "", ...NO_PLACE } : {}),
      });
    },
    showOverview: () => {
      store.setState({ view: "overview", node: "", ...NO_PLACE });
    },
  };
}

/** What Sources shows. */
function sourceActions(
  store: StoreApi<AppState>,
): Pick<SelectionActions, "showTarget" | "noteTarget" | "showInSources"> {
  return {
    showTarget: (target) => {
      if (target !== store.getState().target) store.setState({ target, ...NO_PLACE });
    },
    noteTarget: (target) => {
      store.setState({ target });
    },
    showInSources: (array, coordinates) => {
      const isOther = array !== store.getState().node;
      store.setState({
        view: "sources",
        target: undefined,
        node: array,
        chunk: coordinates,
        ...(isOther ? { slice: undefined, point: undefined } : {}),
      });
    },
  };
}
