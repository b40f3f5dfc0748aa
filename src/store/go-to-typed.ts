import { typedPlace } from "#core/cf/typed-place.ts";
import type { NodeSummary } from "#core/open-set.ts";
import type { App } from "./app-store.ts";

/** Reads the array's coordinates and goes to a place as somebody typed it; returns why it did not. */
export async function goToTyped(
  { engine, actions, store }: Pick<App, "engine" | "actions" | "store">,
  node: NodeSummary,
  text: string,
): Promise<string | undefined> {
  const set = store.getState().set?.id;
  if (set === undefined || node.shape === undefined)
    return `Not a place here: select an array, then type ${text.trim()}.`;
  const axes = node.shape.map((_, dimension) =>
    engine.call("plane.axis", { set, array: node.path, dimension }).catch(() => undefined),
  );
  const place = typedPlace(text, node, await Promise.all(axes));
  if (place?.kind !== "at") return place?.why ?? `${text.trim()} is not a place in ${node.path}.`;
  actions.goToPlace(node, place.positions);
  return undefined;
}
