/** What of the shell is open. Not part of the address: nobody links to a dialog. */
import { useState } from "react";

export type DialogName = "open" | "locations" | "commands" | "keys" | "export" | "limit";

export interface Ui {
  readonly dialog: DialogName | undefined;
  readonly show: (dialog: DialogName | undefined) => void;
  readonly problemsShown: boolean;
  readonly toggleProblems: () => void;
}

export function useUi(): Ui {
  const [dialog, show] = useState<DialogName>();
  const [problemsShown, setProblemsShown] = useState(true);
  return {
    dialog,
    show,
    problemsShown,
    toggleProblems: () => {
      setProblemsShown(!problemsShown);
    },
  };
}
