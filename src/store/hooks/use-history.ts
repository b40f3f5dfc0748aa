import { useMemo } from "react";
import { historyActions } from "../history-actions.ts";
import { useApp } from "../react.tsx";

/** Only the view History needs them: they come with it. */
export function useHistory(): ReturnType<typeof historyActions> {
  const app = useApp();
  return useMemo(() => historyActions(app), [app]);
}
