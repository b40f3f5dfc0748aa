import type { SetSummary } from "../../core/open-set.ts";
import type { SourcesTotals } from "../../core/sources.ts";
import { useActions } from "../../store/react.tsx";
import { EmptyState } from "../../widgets/EmptyState.tsx";
import { PagesNote } from "../../widgets/PagesNote.tsx";
import { elsewhereWords } from "./source-words.ts";

/** A set whose bytes are not in targets, or of which none is known yet. */
export function NoTargets({ set, totals }: { readonly set: SetSummary; readonly totals: SourcesTotals }) {
  const actions = useActions();
  const isPart = set.pages !== undefined && set.pages.loaded < set.pages.count;
  return (
    <EmptyState title={isPart ? "No target is known yet" : "No reference points outside the set"}>
      <p>{elsewhereWords(totals) || "It has no references to chunks."}</p>
      {set.pages === undefined ? null : <PagesNote pages={set.pages} onLoad={() => void actions.loadPages("")} />}
      <button type="button" onClick={() => actions.showView("chunks")}>
        Show the chunks
      </button>
    </EmptyState>
  );
}
