import { useActions, useAppState } from "../../store/react.tsx";
import { Dialog } from "../../widgets/Dialog.tsx";
import { bestMatches } from "../../widgets/fuzzy.ts";
import { countOf } from "../../widgets/number-format.ts";
import { PickList } from "../../widgets/PickList.tsx";

/** Which set of a document that holds several. */
export function ChooseDialog() {
  const actions = useActions();
  const choosing = useAppState((state) => state.choosing);
  if (choosing === undefined) return null;
  const { title, choices } = choosing;
  return (
    <Dialog
      title={title}
      onClose={() => {
        actions.dismissChoice();
      }}
    >
      <PickList
        label="Sets to choose from"
        placeholder={`Search ${countOf(choices.length, "set")}…`}
        itemsFor={(query) =>
          bestMatches(choices, query, (choice) => `${choice.label} ${choice.detail}`, choices.length)
        }
        nothing="No set matches. Clear the field to see all of them."
        onPick={(id) => {
          void actions.choose(id);
        }}
      />
    </Dialog>
  );
}
