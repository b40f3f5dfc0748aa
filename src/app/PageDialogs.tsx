/** Dialogs of the page as a whole: commands, keys, the limit of generated references. */
import { useId, useMemo, useState } from "react";
import { chunkOf, nodesByPath, type NodesByPath, placeOfKey } from "../core/metadata/chunk-of-key.ts";
import { useActions, useApp, useAppState } from "../store/react.tsx";
import type { AppState } from "../store/state.ts";
import { Button } from "../widgets/controls/Button.tsx";
import { Dialog } from "../widgets/controls/Dialog.tsx";
import { bestMatches } from "../widgets/controls/fuzzy.ts";
import { type PickItem, PickList } from "../widgets/controls/PickList.tsx";
import { DefinitionList } from "../widgets/DefinitionList.tsx";
import { formatCount, formatShape } from "../widgets/number-format.ts";
import keysDialogStyles from "./KeysDialog.module.css";
import limitDialogStyles from "./LimitDialog.module.css";
import { availableCommands, type Command, COMMANDS } from "./commands.ts";
import { IS_MAC, keyText } from "./keys.ts";
import type { Ui } from "./ui-state.ts";

const MAX_ARRAYS = 200;

/** Commands, arrays and chunks by what is typed. */
export function CommandPalette({ ui }: { readonly ui: Ui }) {
  const app = useApp();
  const state = useAppState((all) => all);
  const nodes = useMemo(() => nodesByPath(state.set?.nodes ?? []), [state.set]);
  const close = () => ui.show(undefined);
  return (
    <Dialog title="Commands" hideTitle onClose={close}>
      <PickList
        label="Commands"
        placeholder={
          state.set === undefined ? "Type a command…" : "Type a command, an array or a chunk key such as sst/0.0.0…"
        }
        itemsFor={(query) => paletteItems(query, state, nodes).map(({ item }) => item)}
        nothing="No command, array or chunk matches. A chunk key has one number per dimension, such as sst/0.0.0."
        onPick={(id, query) => {
          close();
          paletteItems(query, state, nodes)
            .find(({ item }) => item.id === id)
            ?.command.run({ app, ui });
        }}
      />
    </Dialog>
  );
}

interface PaletteItem {
  readonly item: PickItem;
  readonly command: Pick<Command, "run">;
}

function paletteItems(query: string, state: AppState, nodes: NodesByPath): readonly PaletteItem[] {
  const commands = availableCommands(state)
    .filter(({ id }) => id !== "commands")
    .map(commandItem);
  if (query.trim() === "") return commands;
  const titleOf = ({ item }: PaletteItem) => item.label;
  const found = bestMatches(nodes.values(), query, (node) => node.path, MAX_ARRAYS).map(nodeItem);
  const best = bestMatches([...commands, ...found], query, titleOf, commands.length + MAX_ARRAYS);
  return [...chunkItems(query.trim(), state, nodes), ...best];
}

function commandItem(command: Command): PaletteItem {
  const keys = command.key === undefined ? {} : { keys: keyText(command.key, IS_MAC) };
  return { item: { id: command.id, label: command.title, ...keys }, command };
}

function nodeItem(node: NodesByPath extends ReadonlyMap<string, infer Node> ? Node : never): PaletteItem {
  const { path, kind } = node;
  const detail = kind === "array" ? `${node.dtype ?? ""} · ${formatShape(node.shape ?? [])}` : kind;
  return {
    item: { id: `node ${path}`, label: path === "" ? "/" : path, detail },
    command: { run: ({ app }) => app.actions.selectNode(path) },
  };
}

/** `sst/2.0.1` anywhere, `2.0.1` in the selected array. */
function chunkItems(query: string, state: AppState, nodes: NodesByPath): readonly PaletteItem[] {
  const selected = nodes.get(state.node);
  const here = selected === undefined ? undefined : chunkOf(selected, query);
  const place = here === undefined ? placeOfKey(query, nodes) : undefined;
  const found = here === undefined ? place : { kind: "chunk" as const, array: state.node, coordinates: here };
  if (found?.kind !== "chunk") return [];
  const { array, coordinates } = found;
  return [
    {
      item: { id: "chunk", label: `Go to chunk ${coordinates.join(".") || "0"}`, detail: array === "" ? "/" : array },
      command: { run: ({ app }) => app.actions.selectChunk(array, coordinates) },
    },
  ];
}

const GROUPS: readonly {
  readonly title: string;
  readonly keys: readonly (readonly [keys: string, meaning: string])[];
}[] = [
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
  { title: "Borders between regions", keys: [["arrows", "resize, when the border has the focus"]] },
];

/** All keys, by where they work. */
export function KeysDialog({ onClose, onCodes }: { readonly onClose: () => void; readonly onCodes: () => void }) {
  const anywhere = COMMANDS.flatMap(({ key, title }) =>
    key === undefined ? [] : [[keyText(key, IS_MAC), title] as const],
  );
  return (
    <Dialog title="Keys" isText onClose={onClose} footer={<Button onClick={onCodes}>Codes of problems…</Button>}>
      <div className={keysDialogStyles.groups}>
        {[{ title: "Anywhere (single characters outside fields)", keys: anywhere }, ...GROUPS].map(
          ({ title, keys }) => (
            <section key={title} className={keysDialogStyles.group}>
              <h3>{title}</h3>
              <DefinitionList items={keys.map(([pressed, meaning]) => ({ term: pressed, description: meaning }))} />
            </section>
          ),
        )}
      </div>
    </Dialog>
  );
}

// How many references the gens of a document may make.

/** A row of the table takes 22 bytes and its URL; beyond this a tab has no room. */
const LARGEST = 200_000_000;

export function LimitDialog({ onClose }: { readonly onClose: () => void }) {
  const actions = useActions();
  const id = useId();
  const most = useAppState((state) => state.maxGenerated);
  const [text, setText] = useState(String(most));
  const typed = Number(text.replaceAll(/[\s,_]/g, ""));
  const valid = Number.isInteger(typed) && typed > 0 && typed <= LARGEST;
  return (
    <Dialog
      title="Limit of generated references"
      size="small"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            data-kind="primary"
            disabled={!valid}
            onClick={() => {
              onClose();
              void actions.setMaxGenerated(typed);
            }}
          >
            Apply
          </Button>
        </>
      }
    >
      <div className={limitDialogStyles.form}>
        <label htmlFor={id}>Maximum number of references generated by gen</label>
        <input
          id={id}
          data-autofocus
          inputMode="numeric"
          value={text}
          aria-describedby={`${id}-hint`}
          onChange={({ target }) => setText(target.value)}
        />
        <p id={`${id}-hint`} className={limitDialogStyles.hint}>
          A whole number up to {formatCount(LARGEST)}. Each takes 22 bytes and the text of its URL; ten million take
          some seconds. It lasts until the tab is closed.
        </p>
      </div>
    </Dialog>
  );
}
