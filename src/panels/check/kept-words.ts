/** Whether what the owner wrote of a set is remembered. */
import type { OwnerFiles } from "../../store/owner-state.ts";

const WORDS: Readonly<Record<OwnerFiles["kept"], string>> = {
  nothing: "",
  kept: "Remembered in this browser, by the set’s address.",
  "no-address":
    "Lasts until another set is opened: files, pasted text and signed addresses are not remembered. Save it as a file to keep it.",
  "no-room":
    "This browser has no room to remember it: it lasts until another set is opened. Save it as a file to keep it.",
};

export const keptWords = (kept: OwnerFiles["kept"], restored: boolean): string =>
  restored ? "Remembered in this browser from an earlier visit, and applied again." : WORDS[kept];
