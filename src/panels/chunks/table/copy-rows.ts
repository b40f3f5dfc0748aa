/** Rows on the clipboard as tab-separated text. */
import { loadCatalogue, messageOf } from "../../../widgets/use-explain.ts";
import { findingOfError } from "../../../core/findings/failure.ts";
import type { ViewRow } from "../../../core/open-set.ts";
import type { App } from "../../../store/app-store.ts";
import { copyText } from "../../../widgets/copy-text.ts";
import { countOf, formatCount } from "../../../widgets/number-format.ts";
import { rowsAsText, type ColumnSpec } from "./columns.ts";
import type { Shown } from "./row-source.ts";

/** More would make a text that no clipboard and no spreadsheet takes. */
export const MAX_COPIED = 100_000;
/** The engine gives no more rows at once. */
const ASKED_AT_ONCE = 2000;

export interface RowsToCopy {
  readonly shown: Shown;
  /** Both ends included. */
  readonly range: { readonly from: number; readonly to: number };
  readonly columns: readonly ColumnSpec[];
}

/** Copies, and gives the sentence that says what was copied or why nothing was. Never throws. */
export async function copyRows(engine: Pick<App["engine"], "call">, wish: RowsToCopy): Promise<string> {
  const { shown, range, columns } = wish;
  const all = Math.min(range.to + 1, shown.info.rows) - range.from;
  const count = Math.min(all, MAX_COPIED);
  if (count <= 0) return "There are no rows to copy.";
  try {
    const rows: ViewRow[] = [];
    const { set } = shown.question;
    for (let from = range.from; from < range.from + count; from += ASKED_AT_ONCE) {
      const to = Math.min(from + ASKED_AT_ONCE, range.from + count);
      rows.push(...(await engine.call("table.rows", { set, view: shown.info.view, from, to })).rows);
    }
    if (!(await copyText(rowsAsText(rows, columns)))) return "The browser did not allow copying.";
    const cut = count < all ? `; at most ${formatCount(MAX_COPIED)} of the ${formatCount(all)} can be copied` : "";
    return `Copied ${countOf(count, "row")} with a header${cut}.`;
  } catch (error) {
    return `Nothing was copied. ${messageOf([findingOfError(error, "Copying rows")], await loadCatalogue())}`;
  }
}
