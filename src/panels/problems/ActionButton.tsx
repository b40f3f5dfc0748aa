import type { Action } from "../../core/findings/catalogue/entry.ts";
import type { Finding } from "../../core/finding.ts";
import { actionOf } from "../../core/findings/explain.ts";

const ask = (name: string) => () => void window.dispatchEvent(new CustomEvent(`refscope:${name}`));

/** What can be done from the list of problems; the rest is offered where the chunk or the set is shown. */
const OFFERED: Partial<Readonly<Record<Action, readonly [text: string, run: () => void]>>> = {
  locations: ["Locations…", ask("locations")],
  limit: ["Raise the limit…", ask("limit")],
  reload: [
    "Reload the page",
    () => {
      location.reload();
    },
  ],
};

/** The dialog or step that helps with a finding, where there is one. */
export function ActionButton({ finding }: { readonly finding: Finding }) {
  const action = actionOf(finding);
  const offered = action === undefined ? undefined : OFFERED[action];
  if (offered === undefined) return null;
  const [text, run] = offered;
  return (
    <button type="button" onClick={run}>
      {text}
    </button>
  );
}
