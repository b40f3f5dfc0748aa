/** Notices about a set of which a part is missing: not fetched, not listed, not understood. */
import type { NodeSummary, PagesSummary } from "#core/open-set.ts";
import { Button, LinkButton } from "../controls/Button.tsx";
import { countOf, formatCount } from "../number-format.ts";
import { EmptyState, useMessage } from "./Notices.tsx";

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

interface MoreRowsProps {
  readonly shown: number;
  readonly total: number;
  readonly step: number;
  /** How many are to be shown. */
  readonly onMore: (shown: number) => void;
}

/** Below a list that shows only its first rows; nothing where it shows all. */
export function MoreRows({ shown, total, step, onMore }: MoreRowsProps) {
  if (total <= shown) return null;
  return (
    <p className="quiet">
      {formatCount(shown)} of {formatCount(total)}.{" "}
      <LinkButton onClick={() => onMore(shown + step)}>
        Show {formatCount(Math.min(step, total - shown))} more
      </LinkButton>
    </p>
  );
}

export interface BrokenNodeProps {
  readonly node: NodeSummary;
  /** Consequence, if it is not known why its metadata cannot be understood. */
  readonly without: string;
  readonly onShowMetadata: () => void;
}

/** Note in place of contents of a node whose metadata are broken. */
export function BrokenNode({ node: { path, reason }, without, onShowMetadata }: BrokenNodeProps) {
  const why = useMessage(reason);
  return (
    <EmptyState title={`Invalid metadata: ${path === "" ? "the root" : path}`}>
      <p>{why ?? without}</p>
      <Button onClick={onShowMetadata}>Show the metadata</Button>
    </EmptyState>
  );
}
