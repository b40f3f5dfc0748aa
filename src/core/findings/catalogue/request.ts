/** Requests that cannot be made. */
import { about } from "./entry.ts";
import { quoted } from "../../words.ts";

const { error } = about("source");

export const REQUEST = {
  "url-invalid": error<{ problem: "malformed"; url: string } | { problem: "credentials" }>("URL cannot be fetched", {
    explain: (facts) =>
      facts.problem === "credentials"
        ? "The URL contains a user name or password, and browsers refuse to fetch such URLs."
        : `Expected a URL that begins with https:// or http://; found ${quoted(facts.url)}.`,
    remedy: "Correct the URL. Put a password into a header for the URL's prefix.",
    readers: "fsspec accepts URLs with a user name and password; others it refuses, or reads as local paths.",
    action: "locations",
  }),
  "range-invalid": error<{ offset: number; length: number }>("Invalid byte range", {
    explain: ({ offset, length }) =>
      `Expected offset and length to be integers from 0 to 2⁵³; found offset ${offset} and length ${length}.`,
    remedy: "Correct the reference: this range cannot be requested.",
    readers: "fsspec raises, or counts a negative offset from the end of the file.",
    about: "references",
  }),
  "credential-invalid": error<{ header: string }>("Invalid HTTP header", {
    explain: ({ header }) => `The name or value of your header ${quoted(header)} is not allowed in HTTP.`,
    remedy: "Correct the header: no line breaks, no spaces in its name.",
    readers: "Readers are not affected: these are your own headers for this prefix.",
    action: "locations",
  }),
  "store-key-invalid": error<{ key: string }>("Key is not valid in a URL", {
    explain: ({ key }) => `The key ${quoted(key)} cannot be written in a URL.`,
    remedy: "Rename it in the store: URLs cannot hold “.” or “..” as names, or half a character.",
    readers: "Readers of folders and archives read it; over HTTP they request another key.",
  }),
  offline: error("Network is turned off", {
    explain: "The source is remote, and --offline forbids requests.",
    remedy: "Leave out --offline, or pass the folder that has the file with --root.",
    readers: "Readers are not affected: you chose this.",
  }),
};
