import { useActions, useAppState } from "#store/react.tsx";
import { Loading } from "#widgets/notes/Notices.tsx";

/** The task of this label is under way; it may be cancelled once the status bar shows it. */
export function TaskLoading({ label }: { readonly label: string }) {
  const actions = useActions();
  const task = useAppState((state) => state.tasks.find((one) => one.label === label));
  return <Loading label={label} progress={task?.progress} onCancel={task && (() => actions.cancel(task.id))} />;
}
