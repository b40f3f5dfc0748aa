/** Findings about the owner's expectations, and about acceptances. */
import type { Finding } from "../fact.ts";
import { about } from "./entry.ts";
import { counted, cut, listed, percentExactly } from "#core/words.ts";

const AS_EXPECTED =
  "Look for what is missing in the output of the tool that wrote the dataset, or correct the expectations.";
const NO_READER = "Readers do not know the expectations: they read what is there.";

const some = (values: readonly string[], all: number): string => {
  const named = values.map((value) => cut(value, 40));
  return listed(all > named.length ? [...named, `${all - named.length} more`] : named);
};

const values = about("values", { question: "complete", readers: NO_READER });
const metadata = about("metadata", { question: "complete", readers: NO_READER });
const page = about("page", { readers: "No reader is affected." });

type ExpectedDimensions = { expected: readonly string[]; found: readonly string[] };
type ExpectedStep = { expected: string; found: string; at: string; steps: number };
type ExpectedValues = { values: readonly string[]; missing: number; expected: number };

export const EXPECTATION = {
  "expectation-invalid": page.error<{
    file: "expectation" | "acceptance";
    where: string;
    line?: number | undefined;
    expected: string;
    found: string;
  }>("Invalid expectations or acceptance file", {
    explain: ({ file, where, line, expected, found }) =>
      `The file of ${file === "expectation" ? "expectations" : "accepted findings"} cannot be read. ${line === undefined ? "At" : `In line ${line}, at`} ${where}: expected ${expected}; found ${found}.`,
    remedy: ({ file }) =>
      `Correct it, or write one from the current dataset: in Check on the page, or with ${file === "expectation" ? "--write-expect" : "--write-accept"} in a terminal.`,
  }),
  "expected-array-missing": metadata.error<{ found: "nothing" | "group" | "broken" }>("Expected array not found", {
    explain: ({ found }) =>
      `The array is expected, but ${found === "nothing" ? "the dataset does not have it" : found === "group" ? "there is a group at its path" : "its metadata is invalid"}.`,
    remedy: AS_EXPECTED,
  }),
  "expected-shape": metadata.error<{ expected: readonly number[]; found: readonly number[] }>(
    "Array smaller than expected",
    {
      explain: ({ expected, found }) =>
        `Expected at least ${expected.join(" × ")} elements; found ${found.join(" × ")}.`,
      remedy: AS_EXPECTED,
    },
  ),
  "expected-dimensions": metadata.error<ExpectedDimensions>("Unexpected dimensions", {
    explain: ({ expected, found }) =>
      `Expected the dimensions ${expected.join(", ")}; found ${found.length === 0 ? "no dimension names" : found.join(", ")}.`,
    remedy: AS_EXPECTED,
  }),
  "expected-member": metadata.error<{ member: string; expected: string; found: string }>("Unexpected array metadata", {
    explain: ({ member, expected, found }) => `${member}: expected ${expected}; found ${found}.`,
    remedy: "Check which is right: the metadata or the expectations.",
    readers: "Readers use the metadata, so values are scaled or labelled differently than expected.",
    question: "values",
  }),
  /** `share`: of the chunks that are expected to have a reference, from 0 to 1. */
  "expected-chunks": metadata.error<{ missing: number; chunks: number; share: number }>("Expected chunks are missing", {
    explain: ({ missing, chunks, share }) =>
      `Expected ${share === 1 ? "all" : `at least ${percentExactly(share)} of the`} chunks to have a reference; ${missing} of ${counted(chunks, "chunk")} ${missing === 1 ? "has" : "have"} none.`,
    remedy: AS_EXPECTED,
    readers: "zarr-python silently reads them as the fill value.",
    about: "references",
  }),
  "expected-range": values.error<{ expected: string; found: string }>("Coordinate does not cover the expected range", {
    explain: ({ expected, found }) => `Expected the coordinate to cover ${expected}; found ${found}.`,
    remedy: AS_EXPECTED,
  }),
  "expected-step": values.error<ExpectedStep>("Unexpected coordinate step", {
    explain: ({ expected, found, at, steps }) =>
      `Expected steps of ${expected}; ${counted(steps, "step")} ${steps === 1 ? "differs" : "differ"}, the first ${found} at ${at}.`,
    remedy: AS_EXPECTED,
  }),
  /** `values`: the first of those that are missing. */
  "expected-values": values.error<ExpectedValues>("Expected coordinate values are missing", {
    explain: ({ values, missing, expected }) =>
      `${missing} of ${counted(expected, "expected value")} ${missing === 1 ? "is" : "are"} missing: ${some(values, missing)}.`,
    remedy: AS_EXPECTED,
  }),
  "expected-unread": values.warning<{ cause: Finding | undefined }>("Expected coordinate could not be read", {
    explain: "The coordinate's values could not be read, so it is not known whether it covers the expected range.",
    remedy: "Check the coordinate's own chunks first.",
  }),
  "acceptance-unused": page.note<{ accepted: string; reason: string; date: string }>("Unused acceptance", {
    explain: ({ accepted, reason, date }) =>
      `${accepted} was accepted on ${date} (${reason.replace(/\.$/, "")}), but no longer occurs.`,
    remedy: "Remove the acceptance, so that Check reports the problem if it comes back.",
  }),
};
