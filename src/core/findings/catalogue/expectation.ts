/** What was expected of a set by its owner, and what was accepted. */
import type { Finding } from "../fact.ts";
import { about } from "./entry.ts";
import { counted, cut, listed, percentExactly } from "../../words.ts";

const AS_EXPECTED =
  "Look for what is missing in the output of the tool that wrote the set, or correct the expectation.";
const NO_READER = "Readers do not know the expectation: they read what is there.";

const some = (values: readonly string[], all: number): string => {
  const named = values.map((value) => cut(value, 40));
  return listed(all > named.length ? [...named, `${all - named.length} more`] : named);
};

const { error, warning } = about("values", { question: "complete", readers: NO_READER });
const noReader = about("metadata", { question: "complete", readers: NO_READER });
const ofPage = about("page");

export const EXPECTATION = {
  "expectation-invalid": ofPage.error<{
    readonly file: "expectation" | "acceptance";
    readonly where: string;
    readonly line?: number | undefined;
    readonly expected: string;
    readonly found: string;
  }>({
    title: "Invalid expectations or acceptance file",
    explain: ({ file, where, line, expected, found }) =>
      `${file === "expectation" ? "The expectation" : "The file of accepted findings"} cannot be read: ${line === undefined ? "" : `in line ${line}, `}at ${where}, ${expected} is expected, found ${found}.`,
    remedy: ({ file }) =>
      `Correct it, or have one written from the set as it is: on the page in Check, in a terminal with ${file === "expectation" ? "--write-expect" : "--write-accept"}.`,
    readers: "No reader is affected.",
  }),
  "expected-array-missing": noReader.error<{ readonly found: "nothing" | "group" | "broken" }>({
    title: "Expected array not found",
    explain: ({ found }) =>
      `The array is expected, and ${found === "nothing" ? "not in the set" : found === "group" ? "there is a group at its path" : "its metadata cannot be understood"}.`,
    remedy: AS_EXPECTED,
  }),
  "expected-shape": noReader.error<{ readonly expected: readonly number[]; readonly found: readonly number[] }>({
    title: "An array is smaller than expected",
    explain: ({ expected, found }) =>
      `At least ${expected.join(" × ")} elements are expected; the array has ${found.join(" × ")}.`,
    remedy: AS_EXPECTED,
  }),
  "expected-dimensions": noReader.error<{ readonly expected: readonly string[]; readonly found: readonly string[] }>({
    title: "Unexpected dimensions",
    explain: ({ expected, found }) =>
      `The dimensions ${expected.join(", ")} are expected; the array has ${found.length === 0 ? "no names of dimensions" : found.join(", ")}.`,
    remedy: AS_EXPECTED,
  }),
  "expected-member": ofPage.error<{ readonly member: string; readonly expected: string; readonly found: string }>({
    title: "Unexpected array metadata",
    explain: ({ member, expected, found }) => `For ${member}, ${expected} is expected, found ${found}.`,
    remedy: "Look at which is right: the metadata or the expectation.",
    readers: "Readers take the metadata: values are scaled or labelled otherwise than expected.",
    about: "metadata",
    question: "values",
  }),
  /** `share`: of the chunks that are expected to have a reference, from 0 to 1. */
  "expected-chunks": ofPage.error<{ readonly missing: number; readonly chunks: number; readonly share: number }>({
    title: "Expected chunks are missing",
    explain: ({ missing, chunks, share }) =>
      `${share === 1 ? "The array is expected to be complete" : `At least ${percentExactly(share)} of the chunks are expected to have a reference`}: ${missing} of ${counted(chunks, "chunk")} ${missing === 1 ? "has" : "have"} none.`,
    remedy: AS_EXPECTED,
    readers: "zarr-python silently reads them as the fill value.",
    about: "references",
    question: "complete",
  }),
  "expected-range": error<{ readonly expected: string; readonly found: string }>({
    title: "A coordinate does not cover the expected range",
    explain: ({ expected, found }) => `The range ${expected} is expected to be covered; the coordinate has ${found}.`,
    remedy: AS_EXPECTED,
  }),
  "expected-step": error<{
    readonly expected: string;
    readonly found: string;
    readonly at: string;
    readonly steps: number;
  }>({
    title: "Unexpected coordinate step",
    explain: ({ expected, found, at, steps }) =>
      `Steps of ${expected} are expected; ${counted(steps, "step")} ${steps === 1 ? "is" : "are"} another, the first ${found} at ${at}.`,
    remedy: AS_EXPECTED,
  }),
  /** `values`: the first of those that are missing. */
  "expected-values": error<{
    readonly values: readonly string[];
    readonly missing: number;
    readonly expected: number;
  }>({
    title: "Expected coordinate values are missing",
    explain: ({ values, missing, expected }) =>
      `Of ${counted(expected, "expected value")} ${missing} ${missing === 1 ? "is" : "are"} not there: ${some(values, missing)}.`,
    remedy: AS_EXPECTED,
  }),
  "expected-unread": warning<{ readonly cause: Finding | undefined }>({
    title: "An expected coordinate could not be read",
    explain: "Whether the expected range is covered is not known: the coordinate's values could not be read.",
    remedy: "Look at the coordinate's own chunks first.",
  }),
  "acceptance-unused": ofPage.note<{ readonly accepted: string; readonly reason: string; readonly date: string }>({
    title: "Unused acceptance",
    explain: ({ accepted, reason, date }) =>
      `${accepted} was accepted on ${date} (${reason.replace(/\.$/, "")}), and is not found any more.`,
    remedy: "Remove the acceptance, so that Check reports the problem if it comes back.",
    readers: "No reader is affected.",
  }),
};
