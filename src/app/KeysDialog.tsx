import { DefinitionList } from "../widgets/DefinitionList.tsx";
import { Dialog } from "../widgets/Dialog.tsx";
import { COMMANDS } from "./commands.ts";
import { IS_MAC, keyText } from "./keys.ts";
import styles from "./KeysDialog.module.css";

interface KeyGroup {
  readonly title: string;
  readonly keys: readonly (readonly [keys: string, meaning: string])[];
}

const GROUPS: readonly KeyGroup[] = [
  {
    title: "Hierarchy",
    keys: [
      ["↑ ↓ Home End", "move"],
      ["→ ←", "open and close a group, or go in and out"],
      ["*", "open all groups of this level"],
      ["Enter", "select"],
      ["letters", "go to the next name that begins with them"],
    ],
  },
  {
    title: "Chunks",
    keys: [
      ["arrows, Home, End, Page", "move from cell to cell"],
      ["Enter", "select the chunk and read it"],
      [IS_MAC ? "⌘C" : "Ctrl+C", "copy what is marked"],
    ],
  },
  {
    title: "Editor",
    keys: [
      ["Esc, then Tab", "leave the editor, where Tab alone indents"],
      ["Ctrl+Space", "show what may be typed here"],
      [IS_MAC ? "⌘F" : "Ctrl+F", "find in the document"],
      ["F8", "go to the next problem"],
      [IS_MAC ? "⇧⌥F" : "Shift+Alt+F", "format the JSON"],
      [IS_MAC ? "⌥Z" : "Alt+Z", "wrap long lines, or not"],
    ],
  },
  {
    title: "Version 0 result",
    keys: [
      ["↑ ↓ Home End Page", "move from row to row"],
      ["Enter", "show what made the reference, and read the chunk"],
      ["Esc", "close the row and its chunk"],
    ],
  },
  {
    title: "Chunk",
    keys: [
      ["Alt + arrows", "the chunk beside this one"],
      ["← → Home End", "another tab, when one has the focus"],
    ],
  },
  {
    title: "Borders between regions",
    keys: [["arrows", "resize, when the border has the focus"]],
  },
];

interface KeysDialogProps {
  readonly onClose: () => void;
  readonly onCodes: () => void;
}

/** All keys, by where they work. */
export function KeysDialog({ onClose, onCodes }: KeysDialogProps) {
  const anywhere = COMMANDS.flatMap(({ key, title }) =>
    key === undefined ? [] : [[keyText(key, IS_MAC), title] as const],
  );
  return (
    <Dialog
      title="Keys"
      isText
      onClose={onClose}
      footer={
        <button type="button" onClick={onCodes}>
          Codes of problems…
        </button>
      }
    >
      <div className={styles.groups}>
        {[{ title: "Anywhere (single characters outside fields)", keys: anywhere }, ...GROUPS].map(
          ({ title, keys }) => (
            <section key={title} className={styles.group}>
              <h3>{title}</h3>
              <DefinitionList items={keys.map(([pressed, meaning]) => ({ term: pressed, description: meaning }))} />
            </section>
          ),
        )}
      </div>
    </Dialog>
  );
}
