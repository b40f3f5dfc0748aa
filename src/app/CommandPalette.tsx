import { useMemo } from "react";
import { useApp, useAppState } from "../store/react.tsx";
import type { AppState } from "../store/state.ts";
import { Dialog } from "../widgets/Dialog.tsx";
import { bestMatches } from "../widgets/fuzzy.ts";
import { formatShape } from "../widgets/number-format.ts";
import { PickList, type PickItem } from "../widgets/PickList.tsx";
import { chunkOf, nodesByPath, placeOfKey, type NodesByPath } from "../panels/check/chunk-of-key.ts";
import { availableCommands, type Command } from "./commands.ts";
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
        nothing="No command, array or chunk matches. A chunk key has a number for every dimension, such as sst/0.0.0."
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

export interface PaletteItem {
  readonly item: PickItem;
  readonly command: Pick<Command, "run">;
}

export function paletteItems(query: string, state: AppState, nodes: NodesByPath): readonly PaletteItem[] {
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
    command: {
      run: ({ app }) => app.actions.selectNode(path),
    },
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
      command: {
        run: ({ app }) => app.actions.selectChunk(array, coordinates),
      },
    },
  ];
}
