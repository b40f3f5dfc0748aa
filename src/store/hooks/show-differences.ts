import type { RasterColour } from "#core/open-set.ts";
import type { App } from "../app-store.ts";

/** Shows the grid map of an array, coloured by what differs (or by `colour`), at the slice of a chunk. */
export function showDifferences(
  { actions, commands }: Pick<App, "actions" | "commands">,
  path: string,
  at?: readonly number[],
  colour: RasterColour = "change",
): void {
  commands.send({ kind: "colour-map", colour });
  if (at !== undefined) commands.send({ kind: "show-slice", array: path, at });
  actions.selectNode(path);
  actions.showView("chunks");
  // The pressed button is out of sight then.
  requestAnimationFrame(() => commands.send({ kind: "focus-view-tab" }));
}
