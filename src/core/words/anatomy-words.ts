/** The weight of a repository in words, for page and terminal. */
import type { Anatomy, ArrayReader, Expiry, OrphanReason, Part } from "../anatomy.ts";
import { count, counted } from "../words.ts";

export const PART_NAMES: Readonly<Record<Part, string>> = {
  native: "Native chunks",
  virtual: "Virtual chunks",
  inline: "Inline chunks",
  manifests: "Manifests",
  metadata: "Metadata",
};

export const PART_NOTES: Readonly<Record<Part, string>> = {
  native: "chunk files of the repository",
  virtual: "in other files, each range once",
  inline: "inside the manifests",
  manifests: "lists of references",
  metadata: "snapshots, transaction logs, branches and tags",
};

export const REASONS: Readonly<Record<OrphanReason, string>> = {
  unfinished: "staged by a local writer that did not finish",
  unreached: "of a snapshot that no branch or tag reaches",
  "of-unreached": "used only by snapshots that no branch or tag reaches",
  unused: "nothing refers to it: not committed, or written again before the commit",
};

/** Sentences about what the figures leave out. */
export function anatomyGaps({ listed, unread, missingChunks }: Anatomy): readonly string[] {
  return [
    ...(listed === "all"
      ? []
      : [
          "The store cannot be listed: chunk sizes are those that references record, transaction logs are not counted, and orphans that no snapshot names are unknown.",
        ]),
    ...(unread === 0 ? [] : [`${counted(unread, "file")} could not be read; the figures leave out the contents.`]),
    ...(missingChunks === 0
      ? []
      : [
          `${counted(missingChunks, "chunk file")} that references name ${missingChunks === 1 ? "is" : "are"} missing.`,
        ]),
  ];
}

/** `size` writes bytes. */
export function expirySentence(
  { before, expired, kept, files, bytes, orphans }: Expiry,
  size: (bytes: number) => string,
): string {
  const what = `${counted(files, "file")}, ${size(bytes)}`;
  const own = orphans.files === 0 ? "" : ` (${counted(orphans.files, "orphan")} among them, ${size(orphans.bytes)})`;
  if (before === undefined) return `Collecting garbage would free ${what}.`;
  return `Expiring ${count(expired)} of ${counted(expired + kept, "snapshot")} before ${dateText(before)} and collecting garbage would free ${what}${own}.`;
}

/** `2026-01-31`, `2026-01-31 12:00:00 UTC`. */
function dateText(iso: string): string {
  const [day = "", time = ""] = iso.slice(0, 19).split("T");
  return time === "00:00:00" ? day : `${day} ${time} UTC`;
}

/** The manifests of an array, and a better split of them. */
export function splitSentence(
  { splits, better, references, manifests, most }: ArrayReader,
  size: (bytes: number) => string,
): string {
  const split = splits[better ?? -1];
  const now = `${counted(manifests, "manifest")} of at most ${size(most)} for ${counted(references, "reference")}`;
  if (split === undefined) return `${now}.`;
  const by = split.references === references ? "one manifest" : `manifests of ${count(split.references)} references`;
  return `${now}; ${by} would take about ${size(split.before)} before one chunk (${size(split.total)} in all).`;
}
