/** What made a reference, in words. */
import type { RowOrigin } from "../../core/studio.ts";

/** `gen[0] · i=2`, `refs · http://{{u}}`, `metadata`. */
export function originWords(origin: RowOrigin): string {
  if (origin.kind === "gen") {
    const variables = origin.variables.map(({ name, value }) => `${name}=${value}`);
    return [`gen[${origin.gen}]`, variables.join(", ")].filter((part) => part !== "").join(" · ");
  }
  if (origin.kind === "metadata") return "metadata";
  return origin.written === undefined ? "refs" : `refs · ${origin.written}`;
}
