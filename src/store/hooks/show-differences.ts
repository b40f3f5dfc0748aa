import type { App } from "../app-store.ts";

/** The grid map of an array, coloured by what differs, at the slice of a chunk. */
export function showDifferences(
  { actions, commands }: Pick<App, "actions" | "commands">,
  path: string,
  at?: readonly number[],
): void {
  commands.send({ kind: "colour-map", colour: "change" });
  if (at !== undefined) commands.send({ kind: "show-slice", array: path, at });
  actions.selectNode(path);
  actions.showView("chunks");
  // The pressed button is out of sight then.
  requestAnimationFrame(() => commands.send({ kind: "focus-view-tab" }));
}
