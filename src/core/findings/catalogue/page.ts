/** The page and its worker. */
import { about } from "./entry.ts";

const NO_READER = "Readers are not affected: this is about Refscope itself.";

const { error } = about("page", { readers: NO_READER });

export const PAGE = {
  unexpected: error<{ doing: string; message: string }>("Unexpected error", {
    explain: ({ doing, message }) => `${doing} failed: ${message.replace(/\.$/, "")}.`,
    remedy: "This may be a bug in Refscope. Please report it with what led to it.",
    readers: "Unknown: other readers may work.",
  }),
  /** `part`: of the page, "the view Grid". */
  "drawing-failed": error<{ part: string; message: string }>("Part of the page crashed", {
    explain: ({ part, message }) => `Drawing ${part} failed: ${message.replace(/\.$/, "")}.`,
    remedy:
      "This is a bug in Refscope, not a problem with your data. Reloading opens the same dataset at the same place if it has a URL. You will have to select local files again.",
    action: "reload",
  }),
  "engine-stopped": error<{ reason: string }>("Engine stopped", {
    explain: ({ reason }) => `The worker that reads and decodes no longer responds: ${reason}.`,
    remedy: "Reload the page. It opens the same dataset again from its URL.",
    action: "reload",
  }),
  "read-again-cancelled": error("Re-reading cancelled", {
    explain: "Re-reading the fixed chunks was cancelled.",
  }),
  "render-cancelled": error("Rendering cancelled", {
    explain: "Rendering the document was cancelled.",
    remedy: "The page still shows the previous result. Render again, or keep typing.",
  }),
  "edited-meanwhile": error("Document changed in the meantime", {
    explain: "The fix was not applied, because the document was edited at the same time.",
    remedy: "Apply it again.",
  }),
  "edit-without-effect": error("Nowhere in the document to apply the fix", {
    explain:
      "The fix needs a place in the document that says how the chunk is read, and there is none. The metadata or reference is made elsewhere, such as by a gen.",
    remedy: "Open Edit, and change what makes the reference.",
    about: "document",
  }),
  "set-closed": error("Dataset no longer open", {
    explain: "Something was requested from a dataset that is no longer open.",
    remedy: "Open the dataset again.",
  }),
  "view-closed": error("List no longer available", {
    explain: "Rows were requested from a sorted or filtered list that is no longer available.",
    remedy: "Sort or filter again.",
  }),
};
