import { useHistory } from "#store/hooks/use-history.ts";
import { useApp } from "#store/react.tsx";

/**
 * Opens another snapshot from this view: `branch:NAME`, `tag:NAME`, `snapshot:ID`, or a name alone. `chainOf` is whose
 * chain is followed then; absent = that of what is opened.
 */
export function useOpenRef(): (ref: string, chainOf?: string) => void {
  const { actions, store } = useApp();
  const { chooseHistory } = useHistory();
  const open = async (ref: string, chainOf: string | undefined) => {
    const before = store.getState().set;
    await actions.openRef(ref);
    // A failed or overtaken request changes nothing.
    if (store.getState().set !== before) chooseHistory({ chainOf });
  };
  return (ref, chainOf) => void open(ref, chainOf);
}
