/** Commands, arrays, chunks, places and source files by what is typed. */
import { useMemo } from "react";
import { placeText } from "../core/cf/axis.ts";
import { isPlaceText, typedPlace } from "../core/cf/typed-place.ts";
import { ordinalOf } from "../core/metadata/chunk-grid.ts";
import { nodesByPath, type NodesByPath, typedChunk } from "../core/metadata/chunk-of-key.ts";
import type { TargetSummary } from "../core/open-set.ts";
import { shownTarget } from "#core/words.ts";
import { typeName } from "../core/metadata/data-type.ts";
import { type Axes, useCheapAxes } from "../store/hooks/use-axes.ts";
import { useApp, useAppState, useEngine } from "../store/react.tsx";
import { type AppState, shownNode } from "../store/state.ts";
import { VIEWS } from "../store/views.ts";
import { Dialog } from "../widgets/controls/Dialog.tsx";
import { bestMatches } from "../widgets/controls/fuzzy.ts";
import { type PickItem, PickList } from "../widgets/controls/PickList.tsx";
import { dimensionName } from "../widgets/zarr-words.ts";
import { formatShape } from "../widgets/number-format.ts";
import { availableCommands, type Command } from "./commands.ts";
import { IS_MAC, keyText } from "./keys.ts";
import type { Ui } from "./ui-state.ts";

const MAX_ARRAYS = 200;

export function CommandPalette({ ui }: { readonly ui: Ui }) {
  const app = useApp();
  const state = useAppState((all) => all);
  const nodes = useMemo(() => nodesByPath(state.set?.nodes ?? []), [state.set]);
  const known = useCheapAxes(state.set?.id ?? 0, { path: state.node }, state.set !== undefined);
  const targets = useEngine("set.overview", state.set && { set: state.set.id, path: "" }).data?.targets;
  const offers = (query: string) => [
    ...placeItems(query, state, known),
    ...sourceItems(query, targets),
    ...paletteItems(query, state, nodes),
  ];
  const close = () => ui.show(undefined);
  return (
    <Dialog title="Commands" hideTitle onClose={close}>
      <PickList
        label="Commands"
        placeholder={
          state.set === undefined
            ? "Type a command…"
            : "Type a command, an array, a chunk such as sst/0.0.0, a date, 45N 10E or a source file…"
        }
        itemsFor={(query) => offers(query).map(({ item }) => item)}
        nothing={(query) => whyNoPlace(query, state, known) ?? NOTHING_MATCHES}
        onPick={(id, query) => {
          close();
          offers(query)
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
  const detail = kind === "array" ? `${typeName(node.dtype ?? "")} · ${formatShape(node.shape ?? [])}` : kind;
  return {
    item: { id: `node ${path}`, label: path === "" ? "/" : path, detail },
    command: { run: ({ app }) => app.actions.selectNode(path) },
  };
}

const NOTHING_MATCHES =
  "No command, array, chunk, place or source file matches. A chunk key has one number per dimension, such as sst/0.0.0.";

function whyNoPlace(query: string, state: AppState, axes: Axes): string | undefined {
  const node = shownNode(state);
  if (node === undefined || !isPlaceText(query)) return undefined;
  const place = node.kind === "array" ? typedPlace(query, node, axes) : undefined;
  return place?.kind === "none" ? place.why : `Select an array to go to ${query.trim()}.`;
}

/** A date or degrees in the selected array. */
function placeItems(query: string, state: AppState, axes: Axes): readonly PaletteItem[] {
  const node = shownNode(state);
  const place = node === undefined || !isPlaceText(query) ? undefined : typedPlace(query, node, axes);
  if (node?.shape === undefined || place?.kind !== "at") return [];
  const places = [...place.positions].map(([dimension, at]) => {
    const axis = axes[dimension];
    return `${dimensionName(node.dimensionNames, dimension)} ${(axis && placeText(axis, at)) ?? at}`;
  });
  const run: Command["run"] = ({ app }) => {
    app.actions.goToPlace(node, place.positions);
    if (VIEWS[app.store.getState().view].chunk === "elsewhere") app.actions.showView("data");
  };
  return [{ item: { id: "place", label: `Go to ${places.join(", ")}`, detail: node.path }, command: { run } }];
}

/** Source files by a part of their name. */
function sourceItems(query: string, targets: readonly TargetSummary[] = []): readonly PaletteItem[] {
  const wanted = query.trim().toLowerCase();
  const found = wanted === "" ? [] : targets.filter(({ url }) => fileName(url).toLowerCase().includes(wanted));
  return found.slice(0, MAX_SOURCES).map(({ url }) => ({
    item: { id: `source ${url}`, label: `Source file ${fileName(url)}`, detail: shownTarget(url) },
    command: {
      run: ({ app }) => {
        app.actions.showView("sources");
        app.actions.showTarget(url);
      },
    },
  }));
}

const MAX_SOURCES = 5;
const fileName = (url: string) => url.slice(url.lastIndexOf("/") + 1);

/** `sst/2.0.1` anywhere, `2.0.1` in the selected array. */
function chunkItems(query: string, state: AppState, nodes: NodesByPath): readonly PaletteItem[] {
  const found = typedChunk(query, nodes, state.node);
  if (found === undefined) return [];
  const { array, coordinates } = found;
  if (ordinalOf(nodes.get(array)?.grid ?? [], coordinates) === undefined) return [];
  return [
    {
      item: { id: "chunk", label: `Go to chunk ${coordinates.join(".") || "0"}`, detail: array === "" ? "/" : array },
      command: { run: ({ app }) => app.actions.selectChunk(array, coordinates) },
    },
  ];
}
