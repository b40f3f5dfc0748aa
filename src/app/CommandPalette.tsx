/** Commands, arrays, chunks, places and source files by what is typed. */
import { useMemo, useState } from "react";
import { isPlaceText, typedPlace } from "../core/cf/typed-place.ts";
import { ordinalOf } from "../core/metadata/chunk-grid.ts";
import { nodesByPath, type NodesByPath, typedChunk } from "../core/metadata/chunk-of-key.ts";
import type { NodeSummary, TargetSummary } from "../core/open-set.ts";
import { shownTarget } from "#core/words.ts";
import { typeName } from "../core/metadata/data-type.ts";
import { goToTyped } from "../store/go-to-typed.ts";
import { type AxesByArray, useAxesByArray } from "../store/hooks/use-axes.ts";
import { useApp, useAppState, useEngine } from "../store/react.tsx";
import { type AppState, shownNode } from "../store/state.ts";
import { VIEWS } from "../store/views.ts";
import { Dialog } from "../widgets/controls/Dialog.tsx";
import { bestMatches } from "../widgets/controls/fuzzy.ts";
import { type PickItem, PickList } from "../widgets/controls/PickList.tsx";
import { placesText } from "../widgets/plane/axis-words.ts";
import { formatShape } from "../widgets/number-format.ts";
import { availableCommands, type Command } from "./commands.ts";
import { IS_MAC, keyText } from "./keys.ts";
import type { Ui } from "./ui-state.ts";

const MAX_ARRAYS = 200;

export function CommandPalette({ ui }: { readonly ui: Ui }) {
  const app = useApp();
  const state = useAppState((all) => all);
  const nodes = useMemo(() => nodesByPath(state.set?.nodes ?? []), [state.set]);
  const arrays = placedArrays(state);
  const paths = arrays.map(({ path }) => path);
  const known = useAxesByArray(state.set?.id ?? 0, paths);
  const [refused, setRefused] = useState({ query: "", why: "" });
  const targets = useEngine("set.overview", state.set && { set: state.set.id, path: "" }).data?.targets;
  const offers = (query: string) => [
    ...(query === refused.query ? [] : placeItems(meantBy(query, nodes, arrays), known)),
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
        nothing={(query) =>
          query === refused.query ? refused.why : (whyNoPlace(meantBy(query, nodes, arrays), known) ?? NOTHING_MATCHES)
        }
        onPick={(id, query) => {
          const found = offers(query).find(({ item }) => item.id === id);
          if (found?.place === undefined) {
            close();
            return found?.command.run({ app, ui });
          }
          void goToTyped(app, found.place, meantBy(query, nodes, arrays).text).then((why) => {
            if (why !== undefined) return setRefused({ query, why });
            if (VIEWS[app.store.getState().view].chunk === "elsewhere") app.actions.showView("data");
            close();
          });
        }}
      />
    </Dialog>
  );
}

interface PaletteItem {
  readonly item: PickItem;
  readonly command: Pick<Command, "run">;
  /** Array in which the query is a place. */
  readonly place?: NodeSummary;
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

/** The selected array; in a group those with most dimensions, which a place may mean. */
function placedArrays(state: AppState): readonly NodeSummary[] {
  const node = shownNode(state);
  if (node === undefined || node.kind === "array") return node === undefined ? [] : [node];
  const isBelow = ({ path }: NodeSummary) => node.path === "" || path.startsWith(`${node.path}/`);
  const rankOf = ({ shape = [] }: NodeSummary) => shape.length;
  const arrays = (state.set?.nodes ?? []).filter((one) => one.kind === "array" && isBelow(one) && rankOf(one) > 1);
  return arrays.toSorted((a, b) => rankOf(b) - rankOf(a)).slice(0, MAX_PLACED);
}

const MAX_PLACED = 4;

interface Meant {
  readonly text: string;
  readonly arrays: readonly NodeSummary[];
}

/** `sst 45N 10E`: a place in an array that is named before it. */
function meantBy(query: string, nodes: NodesByPath, arrays: readonly NodeSummary[]): Meant {
  const [, path = "", text = ""] = /^\s*(\S+)\s+(.+)$/.exec(query) ?? [];
  const named = nodes.get(path);
  return named?.kind === "array" && isPlaceText(text) ? { text, arrays: [named] } : { text: query, arrays };
}

function whyNoPlace({ text, arrays: [node] }: Meant, axes: AxesByArray): string | undefined {
  if (!isPlaceText(text)) return undefined;
  const place = node && typedPlace(text, node, axes.get(node.path) ?? []);
  return place?.kind === "none" ? place.why : `${text.trim()} is not a place in ${node?.path || "this dataset"}.`;
}

/** A place in the arrays; coordinates that have not been read yet are read when it is picked. */
function placeItems({ text, arrays }: Meant, known: AxesByArray): readonly PaletteItem[] {
  const found = arrays.flatMap((node) => {
    const axes = known.get(node.path) ?? [];
    const place = typedChunk(text, new Map([[node.path, node]]), node.path) ? undefined : typedPlace(text, node, axes);
    if (place === undefined) return [];
    const isRead = node.shape?.every((_, dimension) => axes[dimension] !== undefined) === true;
    return place.kind === "at" || !isRead ? [{ node, axes, place, isSure: place.kind === "at" }] : [];
  });
  const sure = found.filter(({ isSure }) => isSure);
  return (sure.length > 0 ? sure : found).map(({ node, axes, place }) => {
    const label =
      place.kind === "at" ? placesText(place.positions, node.dimensionNames, axes, (_, at) => String(at)) : text.trim();
    const item = { id: `place ${node.path}`, label: `Go to ${label}`, detail: node.path };
    return { item, command: { run: () => undefined }, place: node };
  });
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
