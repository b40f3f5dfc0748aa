/** What the page and its worker say of themselves. */
import { WHOLE_SET } from "../place.ts";
import { entry, type NoFacts } from "./entry.ts";

const NO_READER = "Readers are not concerned: this is about Refscope itself.";

export const PAGE = {
  unexpected: entry<{ readonly doing: string; readonly message: string }>({
    title: "An error that nothing else describes",
    severity: "error",
    explain: ({ doing, message }) => `${doing} failed: ${message.replace(/\.$/, "")}.`,
    remedy: "This may be a fault of Refscope: please report it with what led to it.",
    readers: "Unknown: other readers may read on.",
    about: "page",
    example: { place: WHOLE_SET, facts: { doing: "Opening ocean.json", message: "Map maximum size exceeded" } },
  }),
  "engine-stopped": entry<{ readonly reason: string }>({
    title: "The engine has stopped",
    severity: "error",
    explain: ({ reason }) => `The worker that reads and decodes does not answer any more: ${reason}.`,
    remedy: "Reload the page; what was open is opened again from the address.",
    readers: NO_READER,
    about: "page",
    action: "reload",
    example: { place: WHOLE_SET, facts: { reason: "out of memory" } },
  }),
  "set-closed": entry<NoFacts>({
    title: "The set is no longer open",
    severity: "error",
    explain: () => "Something was asked about a set that is no longer open.",
    remedy: "Open the set again.",
    readers: NO_READER,
    about: "page",
    example: { place: WHOLE_SET, facts: {} },
  }),
  "view-closed": entry<NoFacts>({
    title: "The list is no longer kept",
    severity: "error",
    explain: () => "Rows were asked of a sorted or filtered list that is no longer kept.",
    remedy: "Sort or filter again.",
    readers: NO_READER,
    about: "page",
    example: { place: WHOLE_SET, facts: {} },
  }),
};
