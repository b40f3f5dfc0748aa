/** What is worth saying about the entries of a manifest: a finding a kind, the first place and how often. */
import type { Finding, Severity } from "../../core/finding.ts";
import type { JsonValue } from "../../core/json.ts";
import type { StrayKey } from "../../core/reference-table.ts";
import type { Entry, EntryNote } from "./entry.ts";
import { copied } from "./entries.ts";
import { tally } from "./tally.ts";

export interface EntryNotes {
  entry(key: string, entry: Entry, value: JsonValue): void;
  stray(key: string, reason: StrayKey["reason"]): void;
  prefix(key: string): void;
  /** `same`: the key is written twice; else two spellings name one chunk. */
  repeated(key: string, same: boolean): void;
  hasPrefixes(): boolean;
  list(): readonly Finding[];
}

interface Note {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly advice?: string;
}

const NOTES: Readonly<Record<EntryNote, Note>> = {
  checksum: {
    code: "manifest-checksum-unverified",
    severity: "info",
    message: "The entry has a checksum. Nothing says of what kind and of which bytes: it is not verified.",
  },
  "data-and-path": {
    code: "manifest-data-and-path",
    severity: "warning",
    message: "The entry has both its bytes (“data”) and a path; the bytes are used.",
    advice: "Take one of them out.",
  },
  "inline-base64": {
    code: "manifest-inline-base64",
    severity: "info",
    message: "The chunk's bytes stand in the manifest. Nothing says how they are written: the text is read as base64.",
  },
  "inline-text": {
    code: "manifest-inline-text",
    severity: "info",
    message:
      "The chunk's bytes stand in the manifest. The text is not base64, so it is read as the bytes of its UTF-8.",
  },
  "unknown-member": {
    code: "manifest-member-unknown",
    severity: "info",
    message:
      "The entry has members other than path, offset, length, checksum and data, whose meaning is not known; they are left out.",
  },
};

const EMPTY: Note = {
  code: "manifest-empty-entry",
  severity: "info",
  message: "The entry says that the chunk is empty ({}, or an empty path): it reads as fill value.",
};

const STRAYS: Readonly<Record<StrayKey["reason"], Note>> = {
  "outside-grid": {
    code: "key-outside-grid",
    severity: "warning",
    message: "The chunk's coordinates lie outside the chunk grid that the array's metadata give.",
  },
  "wrong-rank": {
    code: "key-wrong-rank",
    severity: "warning",
    message: "The key has more or fewer chunk coordinates than the array has dimensions.",
  },
  "no-array": {
    code: "key-without-array",
    severity: "warning",
    message: "The key looks like a chunk, and there is no array for it.",
  },
  "not-a-chunk-key": {
    code: "key-not-a-chunk",
    severity: "warning",
    message: "The key is no chunk key: 0.1, 0/1, c.0.1 or c/0/1 is expected.",
  },
  "grid-unread": {
    code: "chunk-grid-unsupported",
    severity: "warning",
    message: "The array's chunk grid is of a kind that Refscope does not read.",
  },
};
const STRAY_ADVICE = "Correct the key or the metadata; as it is, reading the array never uses this entry.";

const PREFIX: Note = {
  code: "manifest-prefix-entry",
  severity: "error",
  message:
    "The key is what the keys of many chunks begin with. The proposal speaks of such entries and says no form, so they are not followed: chunks without an entry of their own are unknown, not missing.",
  advice: "Write an entry for each chunk.",
};

const SAME_KEY: Note = {
  code: "manifest-duplicate-key",
  severity: "warning",
  message: "The chunk's key is written more than once; the last entry counts, as in Python.",
  advice: "Take the others out.",
};

const SAME_CHUNK: Note = {
  code: "manifest-duplicate-chunk",
  severity: "warning",
  message:
    "The chunk has several entries under different spellings of its key (0.0, 0/0, c/0/0, c.0.0); the last one counts here, and other readers may take another.",
  advice: "Keep one entry a chunk.",
};

export function entryNotes(array: string): EntryNotes {
  const findings = tally();
  let prefixes = false;
  const add = ({ code, ...note }: Note, key: string): void => {
    findings.add(code, () => ({ ...note, array, key: fullKey(array, key) }));
  };
  return {
    entry(key, entry) {
      if (entry.kind === "empty") add(EMPTY, key);
      if (entry.kind === "bad") {
        const { code, reason } = entry;
        add(
          { code, severity: "warning", message: reason, advice: "Correct the entry; the chunk cannot be read." },
          key,
        );
      }
      for (const note of new Set(entry.notes)) add(NOTES[note], key);
    },
    stray: (key, reason) => add({ ...STRAYS[reason], advice: STRAY_ADVICE }, key),
    prefix(key) {
      prefixes = true;
      add(PREFIX, key);
    },
    repeated: (key, same) => add(same ? SAME_KEY : SAME_CHUNK, key),
    hasPrefixes: () => prefixes,
    list: () => findings.list(),
  };
}

function fullKey(array: string, key: string): string {
  return copied(array === "" ? key : `${array}/${key}`);
}
