import { useLayoutEffect } from "react";
import type { Together } from "#core/check/preflight.ts";
import { ALL_TOGETHER } from "#core/open-set.ts";
import { useTask } from "#store/hooks/use-task.ts";
import { useApp, useAppState } from "#store/react.tsx";
import type { Choosing } from "#store/state.ts";
import { Dialog } from "#widgets/controls/Dialog.tsx";
import { bestMatches } from "#widgets/controls/fuzzy.ts";
import { countOf } from "#widgets/number-format.ts";
import { PickList } from "#widgets/controls/PickList.tsx";
import { TogetherDialog } from "./TogetherDialog.tsx";

/** Which of several sets, or of several readings of one address; whether data files are one dataset is asked first. */
export function ChooseDialog() {
  const { actions, engine, store } = useApp();
  const choosing = useAppState((state) => state.choosing);
  const { begun, begin, cancel, dismiss } = useTask<Together | undefined>("preflight", "Reading data files", "");
  const examine = (choice: string) =>
    begin(async (options) => {
      const { locations } = store.getState();
      const { source } = choosing as Choosing;
      const answer = await engine.call("set.open", { source, choice, locations }, options);
      return answer.kind === "choose" ? answer.together : undefined;
    });
  // Files at hand that may be one dataset cost nothing to look at.
  const all = choosing?.source.kind === "files" ? choosing.choices[0]?.id : undefined;
  useLayoutEffect(() => {
    if (all?.endsWith(ALL_TOGETHER) === true) examine(`${all}?`);
    // oxlint-disable-next-line react/exhaustive-deps -- once for what is given
  }, [choosing]);
  if (choosing === undefined) return null;
  const { title, choices } = choosing;
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
