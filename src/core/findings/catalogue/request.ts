/** What cannot even be asked for. */
import { targetAt, WHOLE_SET } from "../place.ts";
import { entry } from "./entry.ts";
import type { NoFacts } from "../fact.ts";
import { quoted } from "../../words.ts";

const TARGET = targetAt("https://data.example/ocean-a.nc");

export const REQUEST = {
  "url-invalid": entry<{ readonly problem: "malformed"; readonly url: string } | { readonly problem: "credentials" }>({
    title: "URL cannot be fetched",
    severity: "error",
    explain: (facts) =>
      facts.problem === "credentials"
        ? "The URL holds a user name or a password, with which no page may fetch it."
        : `An address that begins with https:// or http:// was expected, but found ${quoted(facts.url)}.`,
    remedy: "Correct the URL; a password goes into a header for the URL's prefix.",
    readers: "fsspec takes URLs with a user name and a password; others it refuses, or takes for local paths.",
    about: "source",
    action: "locations",
    example: { place: WHOLE_SET, facts: { problem: "malformed", url: "ocean-a.nc" } },
  }),
  "range-invalid": entry<{ readonly offset: number; readonly length: number }>({
    title: "Not a byte range",
    severity: "error",
    explain: ({ offset, length }) =>
      `Offset and length must be whole numbers from 0 to 2⁵³, but found offset ${offset} and length ${length}.`,
    remedy: "Correct the reference: no server can be asked for this range.",
    readers: "fsspec raises, or takes a negative offset from the target's end.",
    about: "references",
    example: { place: TARGET, facts: { offset: -1, length: 768 } },
  }),
  "credential-invalid": entry<{ readonly header: string }>({
    title: "A header that cannot be sent",
    severity: "error",
    explain: ({ header }) => `The name or value of your header ${quoted(header)} is not allowed in HTTP.`,
    remedy: "Correct the header: no line breaks, no spaces in its name.",
    readers: "Readers are not affected: these are the headers that you gave for this prefix.",
    about: "source",
    action: "locations",
    example: { place: targetAt("https://data.example/"), facts: { header: "X Key" } },
  }),
  "store-key-invalid": entry<{ readonly key: string }>({
    title: "Key is not valid in a URL",
    severity: "error",
    explain: ({ key }) => `The parts of a key must fit into a URL; those of ${quoted(key)} do not.`,
    remedy: "URLs cannot hold “.” and “..” as names, nor half a character: rename it in the store.",
    readers: "Readers of folders and archives read it; over HTTP they ask for another key.",
    about: "source",
    example: { place: targetAt("https://data.example/ocean.zarr/"), facts: { key: "sst/../0.0" } },
  }),
  offline: entry<NoFacts>({
    title: "The network is turned off",
    severity: "error",
    explain: () => "The target is remote, and --offline forbids requests.",
    remedy: "Leave out --offline, or give the folder that has the target with --root.",
    readers: "Readers are not affected: this was asked for.",
    about: "source",
    example: { place: TARGET, facts: {} },
  }),
};
