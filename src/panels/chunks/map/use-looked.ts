/** The chunk that is looked at: under the pointer, else at the keyboard's cursor, else the selected one. */
import { useActions } from "../../../store/react.tsx";
import type { MapProps } from "./map-props.ts";
import { useCellFacts } from "./use-grid.ts";

interface LookedInput {
  readonly focused: boolean;
  readonly hovered: readonly number[] | undefined;
}

export function useLooked({ set, node, array, state, chunk }: MapProps, { focused, hovered }: LookedInput) {
  const actions = useActions();
  const at = hovered ?? (focused ? state.at : chunk);
  const facts = useCellFacts(set, node, array, at);
  return {
    at,
    facts,
    /** The cursor moves by keyboard: what is there is said aloud. */
    spoken: focused && hovered === undefined,
    select: (coordinates: readonly number[]) => {
      state.setAt(coordinates);
      actions.selectChunk(node.path, coordinates);
    },
  };
}
