/** What cannot even be asked for. */
import { about } from "./entry.ts";
import { quoted } from "../../words.ts";

const { error } = about("source");

export const REQUEST = {
  "url-invalid": error<{ readonly problem: "malformed"; readonly url: string } | { readonly problem: "credentials" }>({
    title: "URL cannot be fetched",
    explain: (facts) =>
      facts.problem === "credentials"
        ? "The URL holds a user name or a password, with which no page may fetch it."
        : `An address that begins with https:// or http:// was expected, but found ${quoted(facts.url)}.`,
    remedy: "Correct the URL; a password goes into a header for the URL's prefix.",
    readers: "fsspec takes URLs with a user name and a password; others it refuses, or takes for local paths.",
    action: "locations",
  }),
  "range-invalid": error<{ readonly offset: number; readonly length: number }>({
    title: "Not a byte range",
    explain: ({ offset, length }) =>
      `Offset and length must be whole numbers from 0 to 2⁵³, but found offset ${offset} and length ${length}.`,
    remedy: "Correct the reference: no server can be asked for this range.",
    readers: "fsspec raises, or takes a negative offset from the target's end.",
    about: "references",
  }),
  "credential-invalid": error<{ readonly header: string }>({
    title: "A header that cannot be sent",
    explain: ({ header }) => `The name or value of your header ${quoted(header)} is not allowed in HTTP.`,
    remedy: "Correct the header: no line breaks, no spaces in its name.",
    readers: "Readers are not affected: these are the headers that you gave for this prefix.",
    action: "locations",
  }),
  "store-key-invalid": error<{ readonly key: string }>({
    title: "Key is not valid in a URL",
    explain: ({ key }) => `The parts of a key must fit into a URL; those of ${quoted(key)} do not.`,
    remedy: "URLs cannot hold “.” and “..” as names, nor half a character: rename it in the store.",
    readers: "Readers of folders and archives read it; over HTTP they ask for another key.",
  }),
  offline: error({
    title: "The network is turned off",
    explain: "The target is remote, and --offline forbids requests.",
    remedy: "Leave out --offline, or give the folder that has the target with --root.",
    readers: "Readers are not affected: this was asked for.",
  }),
};
