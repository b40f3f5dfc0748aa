import type { Action } from "../../core/findings/catalogue/entry.ts";
import type { PageCommand } from "../../store/command-bus.ts";
import { useSend } from "../../store/react.tsx";

/** What can be done from the list of problems; the rest is offered where the chunk or the set is shown. */
const OFFERED: Partial<Readonly<Record<Action, readonly [text: string, does: PageCommand | "reload"]>>> = {
  locations: ["Locations…", { kind: "show-locations" }],
  limit: ["Raise the limit…", { kind: "show-limit" }],
  reload: ["Reload the page", "reload"],
};

/** The dialog or step that helps with a finding, where there is one. */
export function ActionButton({ action }: { readonly action: Action | undefined }) {
  const send = useSend();
  const offered = action === undefined ? undefined : OFFERED[action];
  if (offered === undefined) return null;
  const [text, does] = offered;
  return (
    <button
      type="button"
      onClick={() => {
        if (does === "reload") location.reload();
        else send(does);
      }}
    >
      {text}
    </button>
  );
}
