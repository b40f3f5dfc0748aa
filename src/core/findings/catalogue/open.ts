/** Opening: addresses and drops that hold no set, sets and arrays that are not what was asked for. */
import { about } from "./entry.ts";
import type { Finding } from "../fact.ts";
import { counted } from "../../words.ts";

const STORE_METADATA = "metadata of Zarr (zarr.json, .zmetadata, .zgroup or .zarray)";
const NO_READER = "Readers are not affected: this was asked of Refscope itself.";

type NoSet = { readonly among: "folder" } | { readonly among: "files"; readonly files: number };

const ANY_SET =
  "a Zarr store, an Icechunk repository, a Kerchunk Parquet folder, a Kerchunk JSON document (plain, .gz or .zst) or a ZIP archive of one";

const { error } = about("source");
const ofDocument = about("document");

export const OPEN = {
  "no-reference-set": error<NoSet>({
    title: "No dataset found",
    explain: (facts) =>
      facts.among === "folder"
        ? `The folder must have ${STORE_METADATA}, or be an Icechunk repository (repo, or refs/); it has none of these.`
        : `Expected ${ANY_SET}. Found none among ${counted(facts.files, "file")}.`,
    remedy: ({ among }) =>
      among === "folder"
        ? "Give the address of the store's root."
        : "Drop the folder or the reference file, alone or together with the files it points at.",
    readers: "Readers find nothing to open there, either.",
    noSet: true,
  }),
  "not-a-document": error<{ readonly format: string }>({
    title: "Only Kerchunk JSON can be edited",
    explain: ({ format }) => `Only a Kerchunk JSON document can be edited and exported; this set is ${format}.`,
    readers: NO_READER,
  }),
  /** `found`: what is at the path; `reason`: why a broken node is. */
  "no-such-array": error<{ readonly found: "nothing" | "group" | "broken"; readonly cause?: Finding }>({
    title: "No array at this path",
    explain: ({ found }) => {
      if (found === "nothing") return "There is nothing at this path.";
      if (found === "group") return "An array was expected at this path; it is a group.";
      return "The array's metadata cannot be used.";
    },
    readers: ({ found }) => (found === "broken" ? "Most readers raise for this array only." : "Readers raise as well."),
    about: "metadata",
  }),
  "document-too-large": ofDocument.error({
    title: "The document is too large to be shown as text",
    explain: "The document has more than the 512 MB of text that fit into one string here.",
    remedy: "Open it without rendering it: info and digest read documents of any size.",
    readers: "Python's readers have no such limit.",
  }),
  "not-utf-8": ofDocument.error<{ readonly text?: string | undefined }>({
    title: "Not UTF-8 text",
    explain: ({ text }) =>
      `The document must be UTF-8 text; some of its bytes are not${text === undefined ? "" : ", and are shown as �"}.`,
    remedy: "Write the document in UTF-8.",
    readers: "Python raises UnicodeDecodeError, and nothing of the dataset is opened.",
  }),
  "not-opened": error<{ readonly reason: string }>({
    title: "The set was not opened",
    explain: ({ reason }) => `The set was not opened: ${reason.replace(/\.$/, "")}.`,
    readers: "Whether other readers open it is not known.",
  }),
  "link-private-address": error<{ readonly host: string }>({
    title: "A link into a private network",
    explain: ({ host }) =>
      `The link leads to ${host}, which is this machine or in a private network; nothing has been requested from it yet.`,
    remedy: "If you trust whoever gave you the link, press Retry to open it.",
    readers: "fsspec reads from there without asking.",
  }),
};
