/** What the page and its worker say of themselves. */
import { about } from "./entry.ts";

const NO_READER = "Readers are not affected: this is about Refscope itself.";

const { error } = about("page", { readers: NO_READER });
const ofPage = about("page");

export const PAGE = {
  unexpected: ofPage.error<{ readonly doing: string; readonly message: string }>({
    title: "An unexpected error",
    explain: ({ doing, message }) => `${doing} failed: ${message.replace(/\.$/, "")}.`,
    remedy: "This may be a bug in Refscope: please report it with what led to it.",
    readers: "Unknown: other readers may read on.",
  }),
  /** `part`: of the page, "the view Grid". */
  "drawing-failed": error<{ readonly part: string; readonly message: string }>({
    title: "Part of the page crashed",
    explain: ({ part, message }) => `Drawing ${part} failed: ${message.replace(/\.$/, "")}.`,
    remedy:
      "This is a bug in Refscope, not a problem with your data. Reloading opens the same set at the same place if it has a URL; you will have to select local files again.",
    action: "reload",
  }),
  "engine-stopped": error<{ readonly reason: string }>({
    title: "The engine has stopped",
    explain: ({ reason }) => `The worker that reads and decodes no longer responds: ${reason}.`,
    remedy: "Reload the page; what was open is opened again from the address.",
    action: "reload",
  }),
  "read-again-cancelled": error({
    title: "Reading again was cancelled",
    explain: "Re-reading the fixed chunks was cancelled.",
  }),
  "render-cancelled": error({
    title: "Rendering was cancelled",
    explain: "Rendering the document was cancelled.",
    remedy: "The previous result is still shown; render again, or keep typing.",
  }),
  "edited-meanwhile": error({
    title: "The document changed in the meantime",
    explain: "The repair was not applied: the document was edited at the same time.",
    remedy: "Apply it again.",
  }),
  "edit-without-effect": ofPage.error({
    title: "The edit has no place in the document",
    explain:
      "The repair needs a place in the document that says how the chunk is read; there is none: the metadata or the reference are made elsewhere, such as by a gen.",
    remedy: "Open Edit and change what makes the reference.",
    readers: NO_READER,
    about: "document",
  }),
  "set-closed": error({
    title: "The set is no longer open",
    explain: "Something was requested from a set that is no longer open.",
    remedy: "Open the set again.",
  }),
  "view-closed": error({
    title: "The list is no longer kept",
    explain: "Rows were requested from a sorted or filtered list that is no longer kept.",
    remedy: "Sort or filter again.",
  }),
};
