/** Everything that can be done from anywhere, for the command palette, the keys and the help. */
import { ordinalOf } from "../core/metadata/chunk-grid.ts";
import type { NodeSummary } from "../core/open-set.ts";
import { withoutToken } from "../core/words/without-secrets.ts";
import type { App } from "../store/app-store.ts";
import type { PageCommand } from "../store/command-bus.ts";
import type { AppState, Theme } from "../store/state.ts";
import { copyText } from "../widgets/controls/hand-out.ts";
import { dimensionName } from "../widgets/zarr-words.ts";
import type { DialogName, Ui } from "./ui-state.ts";
import { SHOWN_VIEWS, viewsOf } from "./views.ts";

export interface Command {
  readonly id: string;
  readonly title: string;
  /** A character, or with `Mod+` (⌘ on a Mac, Ctrl elsewhere) or `Alt+` a letter or digit of the keyboard. */
  readonly key?: string;
  readonly run: (context: { readonly app: App; readonly ui: Ui }) => void;
  /** Absent = always. */
  readonly when?: (state: AppState) => boolean;
}

const isOpen = (state: AppState) => state.set !== undefined;
/** Not within another page (`from-query.ts`). */
const mayOpen = () => globalThis.document?.documentElement.dataset.embed === undefined;
const isOwn = (state: AppState) => isOpen(state) && mayOpen();
const hasChunk = (state: AppState) => state.chunk !== undefined;
const isEditing = (state: AppState) => state.view === "edit";
const isDocument = ({ set }: AppState): boolean => set?.isDocument === true;

const hasArray = ({ set, node }: AppState) => set?.nodes.find(({ path }) => path === node)?.kind === "array";
const isInData = (state: AppState) => hasArray(state) && state.view === "data";

/** The view without what stands around it. A frame may not be allowed to. */
const toggleFullScreen: Command["run"] = () => {
  const done = document.fullscreenElement
    ? document.exitFullscreen()
    : document.querySelector("main")?.requestFullscreen();
  done?.catch(() => undefined);
};

/** Opens a dialog. */
const shows =
  (dialog: DialogName): Command["run"] =>
  ({ ui }) =>
    ui.show(dialog);

/** Asks another part of the page. */
const sends =
  (command: PageCommand): Command["run"] =>
  ({ app }) =>
    app.commands.send(command);

const VIEW_COMMANDS: readonly Command[] = SHOWN_VIEWS.map((view, at) => ({
  id: `view-${view.id}`,
  title: `Show ${view.label}`,
  key: `Alt+${at + 1}`,
  when: ({ set }) => viewsOf(set).includes(view),
  run: ({ app, ui }) => {
    app.actions.showView(view.id);
    ui.enterView();
  },
}));

const THEMES: readonly (readonly [Theme, string])[] = [
  ["system", "Theme: follow the system"],
  ["light", "Theme: light"],
  ["dark", "Theme: dark"],
];

const THEME_COMMANDS: readonly Command[] = THEMES.map(([theme, title]) => ({
  id: `theme-${theme}`,
  title,
  when: (state) => state.theme !== theme,
  run: ({ app }) => app.actions.setTheme(theme),
}));

export const COMMANDS: readonly Command[] = [
  { id: "codes", title: "Show problem codes and what they mean", run: ({ ui }) => ui.showCodes({}) },
  { id: "commands", title: "Show all commands", key: "Mod+k", run: shows("commands") },
  { id: "open", title: "Open a dataset…", key: "Mod+o", when: isOwn, run: shows("open") },
  ...VIEW_COMMANDS,
  {
    id: "edit",
    title: "Edit the document, or back to the views",
    key: "Alt+e",
    when: isDocument,
    run: ({ app }) => app.actions.showView(app.store.getState().view === "edit" ? "overview" : "edit"),
  },
  { id: "editor", title: "Go to the editor", key: "Alt+d", when: isEditing, run: sends({ kind: "focus-editor" }) },
  {
    id: "result",
    title: "Go to the Version 0 result",
    key: "Alt+r",
    when: isEditing,
    run: sends({ kind: "focus-result" }),
  },
  { id: "export", title: "Export: save the dataset…", when: isOwn, run: shows("export") },
  {
    id: "save-slice",
    title: "Save the slice: picture or values…",
    when: hasArray,
    run: (context) => {
      context.app.actions.showView("data");
      sends({ kind: "save-slice" })(context);
    },
  },
  {
    id: "save-series",
    title: "Save the series: picture or values…",
    when: isInData,
    run: sends({ kind: "save-series" }),
  },
  { id: "full-screen", title: "Full screen, or back", key: "f", when: isOpen, run: toggleFullScreen },
  { id: "limit", title: "Limit of generated references…", run: shows("limit") },
  {
    id: "new-document",
    title: "Write a new document",
    when: mayOpen,
    run: ({ app }) => void app.actions.newDocument(),
  },
  { id: "filter-arrays", title: "Filter arrays", key: "/", when: isOpen, run: sends({ kind: "focus-array-filter" }) },
  {
    id: "copy-link",
    title: "Copy a link to what is shown",
    when: (state) => state.set?.url !== undefined,
    run: () => void copyText(withoutToken(location.href)),
  },
  { id: "locations", title: "Locations: rewrite rules, credentials, region…", run: shows("locations") },
  {
    id: "problems",
    title: "Show problems",
    key: "Alt+p",
    when: isOpen,
    run: ({ app, ui }) => {
      if (app.store.getState().view === "edit") ui.toggleProblems();
      else {
        app.actions.showView("check");
        ui.enterView();
      }
    },
  },
  ...THEME_COMMANDS,
  {
    id: "trial",
    title: "Trial: decode the chunk differently",
    key: "Alt+t",
    when: hasChunk,
    run: sends({ kind: "trial" }),
  },
  {
    id: "suggest-repairs",
    title: "Suggest fixes for the chunk",
    key: "Alt+s",
    when: hasChunk,
    run: sends({ kind: "suggest-repairs" }),
  },
  { id: "close", title: "Close the dataset", when: isOwn, run: ({ app }) => app.actions.close() },
  { id: "keys", title: "Help: all keys", key: "?", run: shows("keys") },
];

/** Commands for the selected chunk: one step either way along each dimension. */
export function chunkCommands({ set, node: path, chunk }: AppState): readonly Command[] {
  const node = set?.nodes.find((one) => one.path === path);
  if (node?.grid === undefined || chunk === undefined) return [];
  return node.grid
    .flatMap((_, dimension) => [step(node, chunk, dimension, 1), step(node, chunk, dimension, -1)])
    .flat();
}

function step(node: NodeSummary, chunk: readonly number[], dimension: number, by: 1 | -1): readonly Command[] {
  const to = chunk.map((at, index) => (index === dimension ? at + by : at));
  if (node.grid === undefined || ordinalOf(node.grid, to) === undefined) return [];
  const name = dimensionName(node.dimensionNames, dimension);
  return [
    {
      id: `chunk-${by}-${dimension}`,
      title: `${by === 1 ? "Next" : "Previous"} chunk along ${name}`,
      run: ({ app }) => app.actions.selectChunk(node.path, to),
    },
  ];
}

export function availableCommands(state: AppState): readonly Command[] {
  return [...COMMANDS, ...chunkCommands(state)].filter((command) => command.when?.(state) ?? true);
}
