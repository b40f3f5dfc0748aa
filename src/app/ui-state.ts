/** State of the shell's dialogs. Not part of the address: a dialog is not worth a link. */
import { useState } from "react";

export type DialogName = "open" | "locations" | "commands" | "keys" | "export" | "limit";

export interface Codes {
  /** The one that is asked about. */
  readonly asked?: string;
}

export type Ui = ReturnType<typeof useUi>;

export function useUi() {
  const [dialog, setDialog] = useState<DialogName>();
  const [prefix, setPrefix] = useState<string>();
  const [codes, showCodes] = useState<Codes>();
  const [viewEntries, setViewEntries] = useState(0);
  const [problemsShown, setProblemsShown] = useState(true);
  const [tree, showTree] = useState<"tree" | "filter">();
  return {
    dialog,
    show: (next: DialogName | undefined) => {
      setDialog(next);
      setPrefix(undefined);
    },
    /** Prefix of targets for which the form of locations begins with a row. */
    prefix,
    showLocations: (forPrefix: string | undefined) => {
      setDialog("locations");
      setPrefix(forPrefix);
    },
    /** The page of codes, above any other dialog. */
    codes,
    showCodes,
    /** The sheet with the tree on small screens; `filter`: for its field. */
    tree,
    showTree,
    /** The list of problems below the document, in the studio. */
    problemsShown,
    toggleProblems: () => setProblemsShown(!problemsShown),
    /** Rises when the focus is to go into the view that is shown. */
    viewEntries,
    enterView: () => setViewEntries((count) => count + 1),
  };
}
