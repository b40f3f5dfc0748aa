import { ALL_TOGETHER, type Together } from "../../core/check/preflight.ts";
import { useTask } from "../../store/hooks/use-task.ts";
import { useApp, useAppState } from "../../store/react.tsx";
import { Dialog } from "../../widgets/controls/Dialog.tsx";
import { bestMatches } from "../../widgets/controls/fuzzy.ts";
import { countOf } from "../../widgets/number-format.ts";
import { PickList } from "../../widgets/controls/PickList.tsx";
import { TogetherDialog } from "./TogetherDialog.tsx";

/** Which of several sets, or of several readings of one address; whether data files are one dataset is asked first. */
export function ChooseDialog() {
  const { actions, engine, store } = useApp();
  const choosing = useAppState((state) => state.choosing);
  const { begun, begin, cancel, dismiss } = useTask<Together | undefined>("preflight", "Reading data files", "");
  if (choosing === undefined) return null;
  const { title, choices, source } = choosing;
  const examine = (choice: string) =>
    begin(async (options) => {
      const { locations } = store.getState();
      const answer = await engine.call("set.open", { source, choice, locations }, options);
      return answer.kind === "choose" ? answer.together : undefined;
    });
  const onBack = () => {
    cancel();
    dismiss();
  };
  if (begun !== undefined)
    return <TogetherDialog files={choices.length - 1} begun={begun} onExamine={examine} onBack={onBack} />;
  return (
    <Dialog title={title} onClose={() => actions.dismissChoice()}>
      <PickList
        label="Choices"
        placeholder={`Search ${countOf(choices.length, "choice")}…`}
        itemsFor={(query) =>
          bestMatches(choices, query, (choice) => `${choice.label} ${choice.detail}`, choices.length)
        }
        nothing="Nothing matches. Clear the field to see all of them."
        onPick={(id) => (id.endsWith(ALL_TOGETHER) ? examine(`${id}?`) : void actions.choose(id))}
      />
    </Dialog>
  );
}
