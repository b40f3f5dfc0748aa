import { download } from "../../widgets/download.ts";

/** `ocean.json` and `expected`: saved as `ocean.expected.json`. */
export const fileNameFor = (name: string, what: string): string =>
  `${name.replace(/\.json$/i, "").replaceAll(/[^\w.-]+/g, "_")}.${what}.json`;

export function saveJson(text: string, name: string, what: string): void {
  download(new Blob([text], { type: "application/json" }), fileNameFor(name, what));
}
