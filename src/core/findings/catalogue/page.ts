/** What the page and its worker say of themselves. */
import { WHOLE_SET } from "../place.ts";
import { entry } from "./entry.ts";
import type { NoFacts } from "../fact.ts";

const NO_READER = "Readers are not affected: this is about Refscope itself.";

export const PAGE = {
  unexpected: entry<{ readonly doing: string; readonly message: string }>({
    title: "An unexpected error",
    severity: "error",
    explain: ({ doing, message }) => `${doing} failed: ${message.replace(/\.$/, "")}.`,
    remedy: "This may be a bug in Refscope: please report it with what led to it.",
    readers: "Unknown: other readers may read on.",
    about: "page",
    example: { place: WHOLE_SET, facts: { doing: "Opening ocean.json", message: "Map maximum size exceeded" } },
  }),
  /** `part`: of the page, "the view Grid". */
  "drawing-failed": entry<{ readonly part: string; readonly message: string }>({
    title: "Part of the page crashed",
    severity: "error",
    explain: ({ part, message }) => `Drawing ${part} failed: ${message.replace(/\.$/, "")}.`,
    remedy:
      "This is a bug in Refscope, not a problem with your data. Reloading opens the same set at the same place if it has a URL; you will have to select local files again.",
    readers: NO_READER,
    about: "page",
    action: "reload",
    example: { place: WHOLE_SET, facts: { part: "the view Grid", message: "Invalid array length" } },
  }),
  "engine-stopped": entry<{ readonly reason: string }>({
    title: "The engine has stopped",
    severity: "error",
    explain: ({ reason }) => `The worker that reads and decodes no longer responds: ${reason}.`,
    remedy: "Reload the page; what was open is opened again from the address.",
    readers: NO_READER,
    about: "page",
    action: "reload",
    example: { place: WHOLE_SET, facts: { reason: "out of memory" } },
  }),
  "read-again-cancelled": entry<NoFacts>({
    title: "Reading again was cancelled",
    severity: "error",
    explain: () => "Re-reading the fixed chunks was cancelled.",
    readers: NO_READER,
    about: "page",
    example: { place: WHOLE_SET, facts: {} },
  }),
  "render-cancelled": entry<NoFacts>({
    title: "Rendering was cancelled",
    severity: "error",
    explain: () => "Rendering the document was cancelled.",
    remedy: "The previous result is still shown; render again, or keep typing.",
    readers: NO_READER,
    about: "page",
    example: { place: WHOLE_SET, facts: {} },
  }),
  "edited-meanwhile": entry<NoFacts>({
    title: "The document changed in the meantime",
    severity: "error",
    explain: () => "The repair was not applied: the document was edited at the same time.",
    remedy: "Apply it again.",
    readers: NO_READER,
    about: "page",
    example: { place: WHOLE_SET, facts: {} },
  }),
  "edit-without-effect": entry<NoFacts>({
    title: "The edit has no place in the document",
    severity: "error",
    explain: () =>
      "The repair needs a place in the document that says how the chunk is read; there is none: the metadata or the reference are made elsewhere, such as by a gen.",
    remedy: "Open Edit and change what makes the reference.",
    readers: NO_READER,
    about: "document",
    example: { place: WHOLE_SET, facts: {} },
  }),
  "set-closed": entry<NoFacts>({
    title: "The set is no longer open",
    severity: "error",
    explain: () => "Something was requested from a set that is no longer open.",
    remedy: "Open the set again.",
    readers: NO_READER,
    about: "page",
    example: { place: WHOLE_SET, facts: {} },
  }),
  "view-closed": entry<NoFacts>({
    title: "The list is no longer kept",
    severity: "error",
    explain: () => "Rows were requested from a sorted or filtered list that is no longer kept.",
    remedy: "Sort or filter again.",
    readers: NO_READER,
    about: "page",
    example: { place: WHOLE_SET, facts: {} },
  }),
};
