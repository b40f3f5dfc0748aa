/** Opening: URLs and files that hold no dataset; datasets and arrays that are not what was requested. */
import { about } from "./entry.ts";
import type { Finding } from "../fact.ts";
import { counted } from "../../words.ts";

const STORE_METADATA = "Zarr metadata (zarr.json, .zmetadata, .zgroup or .zarray)";
const NO_READER = "Readers are not affected: this is about Refscope itself.";

type NoSet = { readonly among: "folder" } | { readonly among: "files"; readonly files: number };

const ANY_SET =
  "a Zarr store, an Icechunk repository, a Kerchunk Parquet folder, a Kerchunk JSON file (plain, .gz or .zst) or a ZIP archive of one";

const { error } = about("source");
const document = about("document");

export const OPEN = {
  "no-reference-set": error<NoSet>("No dataset found", {
    explain: (facts) =>
      facts.among === "folder"
        ? `Expected ${STORE_METADATA}, or an Icechunk repository (repo, or refs/). Found neither in the folder.`
        : `Expected ${ANY_SET}. Found none among ${counted(facts.files, "file")}.`,
    remedy: ({ among }) =>
      among === "folder"
        ? "Open the store's root."
        : "Drop the folder or the reference file, alone or together with the files it points to.",
    readers: "Readers also find nothing to open there.",
    noSet: true,
  }),
  "not-a-document": error<{ format: string }>("Only Kerchunk JSON can be edited", {
    explain: ({ format }) => `Refscope can edit and export only Kerchunk JSON documents; this dataset is ${format}.`,
    readers: NO_READER,
  }),
  /** `found`: what is at the path; `reason`: why a broken node is. */
  "no-such-array": error<{ found: "nothing" | "group" | "broken"; cause?: Finding }>("No array at this path", {
    explain: ({ found }) => {
      if (found === "nothing") return "There is nothing at this path.";
      if (found === "group") return "Expected an array at this path; found a group.";
      return "The array's metadata cannot be used.";
    },
    readers: ({ found }) => (found === "broken" ? "Most readers raise for this array only." : "Readers also raise."),
    about: "metadata",
  }),
  "document-too-large": document.error("Document too large to show as text", {
    explain: "The document has more than 512 MB of text, the most that fits into one string here.",
    remedy: "Open it without rendering it: info and digest read documents of any size.",
    readers: "Python's readers have no such limit.",
  }),
  "not-utf-8": document.error<{ text?: string | undefined }>("Not UTF-8 text", {
    explain: ({ text }) =>
      `Expected UTF-8 text; some of the document's bytes are not UTF-8${text === undefined ? "" : " and are shown as �"}.`,
    remedy: "Write the document in UTF-8.",
    readers: "Python raises UnicodeDecodeError and opens nothing of the dataset.",
  }),
  "not-opened": error<{ reason: string }>("Dataset not opened", {
    explain: ({ reason }) => `The dataset was not opened: ${reason.replace(/\.$/, "")}.`,
    readers: "It is not known whether other readers open it.",
  }),
  "link-private-address": error<{ host: string }>("Link to a private network", {
    explain: ({ host }) =>
      `The link leads to ${host}, which is on this machine or a private network. Refscope has not requested anything from it yet.`,
    remedy: "If you trust the source of the link, press Retry to open it.",
    readers: "fsspec reads from there without asking.",
  }),
};
