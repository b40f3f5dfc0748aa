/** Explains a finding by the catalogue, in the words of a terminal. */
import { inTerminal } from "#core/findings/catalogue/in-terminal.ts";
import { explained as onPage } from "#core/findings/explain.ts";
import type { Explained } from "#core/findings/explained.ts";
import type { Finding } from "#core/findings/finding.ts";

export function explained(found: Finding): Explained {
  const said = onPage(found);
  return {
    ...said,
    message: inTerminal(said.message),
    remedy: said.remedy === undefined ? undefined : inTerminal(said.remedy),
  };
}
