/** What of the shell is open. Not part of the address: a dialog is not worth a link. */
import { useState } from "react";

export type DialogName = "open" | "locations" | "commands" | "keys" | "export" | "limit";

export interface Codes {
  /** The one that is asked about. */
  readonly asked?: string;
}

type TreeShown = "tree" | "filter" | undefined;

export interface Ui {
  readonly dialog: DialogName | undefined;
  readonly show: (dialog: DialogName | undefined) => void;
  /** Prefix of targets for which the form of locations begins with a row. */
  readonly prefix: string | undefined;
  readonly showLocations: (prefix: string | undefined) => void;
  /** The page of codes, above any other dialog. */
  readonly codes: Codes | undefined;
  readonly showCodes: (codes: Codes | undefined) => void;
  /** The sheet with the tree on small screens; `filter`: for its field. */
  readonly tree: TreeShown;
  readonly showTree: (tree: TreeShown) => void;
  /** In the studio, below the document. */
  readonly problemsShown: boolean;
  readonly toggleProblems: () => void;
  /** Rises when the focus is to go into the view that is shown. */
  readonly viewEntries: number;
  readonly enterView: () => void;
}

export function useUi(): Ui {
  const [dialog, setDialog] = useState<DialogName>();
  const [prefix, setPrefix] = useState<string>();
  const [codes, showCodes] = useState<Codes>();
  const [viewEntries, setViewEntries] = useState(0);
  const [problemsShown, setProblemsShown] = useState(true);
  const [tree, showTree] = useState<TreeShown>();
  return {
    dialog,
    prefix,
    show: (next) => {
      setDialog(next);
      setPrefix(undefined);
    },
    showLocations: (forPrefix) => {
      setDialog("locations");
      setPrefix(forPrefix);
    },
    codes,
    showCodes,
    problemsShown,
    tree,
    showTree,
    viewEntries,
    enterView: () => {
      setViewEntries((count) => count + 1);
    },
    toggleProblems: () => {
      setProblemsShown(!problemsShown);
    },
  };
}
