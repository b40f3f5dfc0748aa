/** How much of the references is here, and the way to the rest. */
import type { PagesSummary } from "#core/open-set.ts";
import { countOf, formatCount } from "../number-format.ts";
import { LinkButton } from "../controls/Button.tsx";

/** Nothing where all is here. */
export function PagesNote({ pages, onLoad }: { readonly pages: PagesSummary; readonly onLoad: () => void }) {
  const { words, isChunk = false, count, loaded, failed } = pages;
  const rest = count - loaded;
  if (rest === 0) return null;
  const read = isChunk ? "asked for" : "read";
  const failures = failed === 0 ? "" : `, ${formatCount(failed)} could not be`;
  return (
    <span>
      {formatCount(loaded)} of {countOf(count, ...words)} {read}
      {failures}.{" "}
      <LinkButton onClick={onLoad}>
        {isChunk ? "Ask for the rest" : failed === rest ? "Try again" : "Read the rest"}
      </LinkButton>
    </span>
  );
}
