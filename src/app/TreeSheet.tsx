/** On a small screen the tree is a sheet from below. */
import { useEffect, useRef, type MouseEvent } from "react";
import { HierarchyPanel } from "../panels/hierarchy/HierarchyPanel.tsx";
import { useAppState, useCommand, useSend } from "../store/react.tsx";
import type { Ui } from "./ui-state.ts";
import styles from "./TreeSheet.module.css";

export function TreeSheet({ ui }: { readonly ui: Ui }) {
  return ui.tree === undefined ? <ForFilter ui={ui} /> : <Sheet ui={ui} filtering={ui.tree === "filter"} />;
}

/** The filter is in the sheet: asked for it, the sheet opens. */
function ForFilter({ ui }: { readonly ui: Ui }) {
  useCommand("focus-array-filter", () => {
    ui.showTree("filter");
  });
  return null;
}

interface SheetProps {
  readonly ui: Ui;
  readonly filtering: boolean;
}

/** It closes with what is chosen in it. */
function Sheet({ ui, filtering }: SheetProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const send = useSend();
  const close = () => {
    ui.showTree(undefined);
  };
  useEffect(() => {
    dialog.current?.showModal();
    if (filtering) send({ kind: "focus-array-filter" });
  }, [filtering, send]);
  const chosen = useAppState(({ node, view }) => `${view} ${node}`);
  const before = useRef(chosen);
  useEffect(() => {
    if (before.current !== chosen) dialog.current?.close();
  }, [chosen]);
  const onClick = ({ target }: MouseEvent) => {
    const isOutside = target === dialog.current;
    const isChoice = target instanceof Element && target.closest('[role="treeitem"], li > button') !== null;
    if (isOutside || isChoice) dialog.current?.close();
  };
  return (
    // Escape is the dialog's own.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events jsx-a11y/no-noninteractive-element-interactions
    <dialog ref={dialog} className={styles.sheet} aria-label="Arrays" onClose={close} onClick={onClick}>
      <div className={styles.content}>
        <button type="button" data-kind="quiet" className={styles.close} onClick={() => dialog.current?.close()}>
          Close
        </button>
        <HierarchyPanel />
      </div>
    </dialog>
  );
}
