/** How much of the references is here, and the way to the rest. */
import type { PagesSummary } from "../core/open-set.ts";
import { countOf, formatCount } from "./number-format.ts";

const WORDS: Readonly<Record<PagesSummary["unit"], readonly [one: string, many: string]>> = {
  record: ["record", "records"],
  manifest: ["manifest", "manifests"],
  shard: ["shard index", "shard indexes"],
  object: ["chunk", "chunks"],
};

export interface PagesNoteProps {
  readonly pages: PagesSummary;
  readonly onLoad: () => void;
}

/** Nothing where all is here. */
export function PagesNote({ pages, onLoad }: PagesNoteProps) {
  const { unit, count, loaded, failed } = pages;
  const rest = count - loaded;
  if (rest === 0) return null;
  const [one, many] = WORDS[unit];
  const read = unit === "object" ? "asked for" : "read";
  const failures = failed === 0 ? "" : `, ${formatCount(failed)} could not be`;
  return (
    <span>
      {formatCount(loaded)} of {countOf(count, one, many)} {read}
      {failures}.{" "}
      <button type="button" data-kind="link" onClick={onLoad}>
        {unit === "object" ? "Ask for the rest" : failed === rest ? "Try again" : "Read the rest"}
      </button>
    </span>
  );
}
