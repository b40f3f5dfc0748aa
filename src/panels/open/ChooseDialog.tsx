import { useActions, useAppState } from "../../store/react.tsx";
import { Dialog } from "../../widgets/controls/Dialog.tsx";
import { bestMatches } from "../../widgets/controls/fuzzy.ts";
import { countOf } from "../../widgets/number-format.ts";
import { PickList } from "../../widgets/controls/PickList.tsx";

/** Which of several sets, or of several readings of one address. */
export function ChooseDialog() {
  const actions = useActions();
  const choosing = useAppState((state) => state.choosing);
  if (choosing === undefined) return null;
  const { title, choices } = choosing;
  return (
    <Dialog title={title} onClose={() => actions.dismissChoice()}>
      <PickList
        label="Choices"
        placeholder={`Search ${countOf(choices.length, "choice")}…`}
        itemsFor={(query) =>
          bestMatches(choices, query, (choice) => `${choice.label} ${choice.detail}`, choices.length)
        }
        nothing="Nothing matches. Clear the field to see all of them."
        onPick={(id) => void actions.choose(id)}
      />
    </Dialog>
  );
}
