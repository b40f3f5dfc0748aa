/** Sentence that says whether data files can be combined, for the page and the terminal. */
import { type Preflight, stopsCombining } from "../check/preflight.ts";
import { counted } from "../words.ts";

type Answer = Pick<Preflight, "verdict" | "how" | "along" | "findings">;

export function combinedWords({ verdict, how, along = "", findings }: Answer, count: number): string {
  if (how === "merge" && count === 1 && verdict === "yes") return "1 file is a dataset on its own";
  const place = how === "merge" ? "side by side" : `along ${how === "stack" ? "the new dimension " : ""}${along}`;
  if (verdict === "yes") return `${counted(count, "file")} can be combined ${place}`;
  if (verdict === "no") return `Cannot be combined ${place}`;
  if (findings.some(stopsCombining)) return `Can be combined ${place} if the files are changed as advised below`;
  return findings.some(({ code }) => code === "time-units-differ")
    ? `Can be combined ${place}. Refscope will convert ${along} to one unit.`
    : `Can be combined ${place}, except for what is listed below`;
}
