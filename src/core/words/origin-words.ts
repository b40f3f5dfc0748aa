/** Words for the origin of a row. */
import type { RowOrigin } from "../table/version1.ts";

/** One line: `gen[0] · i=2`, `refs · {{u}}/…`. */
export function originText(origin: RowOrigin | undefined): string {
  if (origin === undefined) return "";
  if (origin.kind === "gen") {
    const values = origin.variables.map(({ name, value }) => `${name}=${value}`);
    return [`gen[${origin.gen}]`, ...(values.length === 0 ? [] : [values.join(", ")])].join(" · ");
  }
  return origin.kind === "refs" && origin.written !== undefined ? `refs · ${origin.written}` : origin.kind;
}

/** Sentences with everything, one line each. */
export function originLines(origin: RowOrigin | undefined): readonly string[] {
  if (origin === undefined) return [];
  if (origin.kind === "metadata") return ["Metadata that stand in the document."];
  if (origin.kind === "gen") {
    const values = origin.variables.map(({ name, value }) => `${name} = ${value}`);
    return [`Made by entry ${origin.gen} of “gen” (counted from 0).`, ...values];
  }
  if (origin.written === undefined) return ["Stands in “refs”."];
  return ["Stands in “refs”, with a template in its URL:", origin.written];
}
