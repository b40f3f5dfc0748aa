/** What was expected of a set by its owner, and what was accepted. */
import type { Finding } from "../fact.ts";
import { nodeAt, WHOLE_SET } from "../place.ts";
import { entry } from "./entry.ts";
import { counted, cut, listed, percentExactly } from "../../words.ts";

const AS_EXPECTED =
  "Look for what is missing in the output of the tool that wrote the set, or correct the expectation.";
const NO_READER = "Readers do not know the expectation: they read what is there.";

const some = (values: readonly string[], all: number): string => {
  const named = values.map((value) => cut(value, 40));
  return listed(all > named.length ? [...named, `${all - named.length} more`] : named);
};

export const EXPECTATION = {
  "expectation-invalid": entry<{
    readonly file: "expectation" | "acceptance";
    readonly where: string;
    readonly line?: number | undefined;
    readonly expected: string;
    readonly found: string;
  }>({
    title: "Invalid expectations or acceptance file",
    severity: "error",
    explain: ({ file, where, line, expected, found }) =>
      `${file === "expectation" ? "The expectation" : "The file of accepted findings"} cannot be read: ${line === undefined ? "" : `in line ${line}, `}at ${where}, ${expected} is expected, found ${found}.`,
    remedy: ({ file }) =>
      `Correct it, or have one written from the set as it is: on the page in Check, in a terminal with ${file === "expectation" ? "--write-expect" : "--write-accept"}.`,
    readers: "No reader is affected.",
    about: "page",
    example: {
      place: WHOLE_SET,
      facts: { file: "expectation", where: "arrays.sst.shape", line: 5, expected: "a list of lengths", found: "24" },
    },
  }),
  "expected-array-missing": entry<{ readonly found: "nothing" | "group" | "broken" }>({
    title: "Expected array not found",
    severity: "error",
    explain: ({ found }) =>
      `The array is expected, and ${found === "nothing" ? "not in the set" : found === "group" ? "there is a group at its path" : "its metadata cannot be understood"}.`,
    remedy: AS_EXPECTED,
    readers: NO_READER,
    about: "metadata",
    question: "complete",
    example: { place: nodeAt("sst"), facts: { found: "nothing" } },
  }),
  "expected-shape": entry<{ readonly expected: readonly number[]; readonly found: readonly number[] }>({
    title: "An array is smaller than expected",
    severity: "error",
    explain: ({ expected, found }) =>
      `At least ${expected.join(" × ")} elements are expected; the array has ${found.join(" × ")}.`,
    remedy: AS_EXPECTED,
    readers: NO_READER,
    about: "metadata",
    question: "complete",
    example: { place: nodeAt("sst"), facts: { expected: [24, 90, 180], found: [20, 90, 180] } },
  }),
  "expected-dimensions": entry<{ readonly expected: readonly string[]; readonly found: readonly string[] }>({
    title: "Unexpected dimensions",
    severity: "error",
    explain: ({ expected, found }) =>
      `The dimensions ${expected.join(", ")} are expected; the array has ${found.length === 0 ? "no names of dimensions" : found.join(", ")}.`,
    remedy: AS_EXPECTED,
    readers: NO_READER,
    about: "metadata",
    question: "complete",
    example: { place: nodeAt("sst"), facts: { expected: ["time", "lat", "lon"], found: ["time", "lon", "lat"] } },
  }),
  "expected-member": entry<{ readonly member: string; readonly expected: string; readonly found: string }>({
    title: "Unexpected array metadata",
    severity: "error",
    explain: ({ member, expected, found }) => `For ${member}, ${expected} is expected, found ${found}.`,
    remedy: "Look at which is right: the metadata or the expectation.",
    readers: "Readers take the metadata: values are scaled or labelled otherwise than expected.",
    about: "metadata",
    question: "values",
    example: { place: nodeAt("sst"), facts: { member: "scale_factor", expected: "0.01", found: "0.1" } },
  }),
  /** `share`: of the chunks that are expected to have a reference, from 0 to 1. */
  "expected-chunks": entry<{ readonly missing: number; readonly chunks: number; readonly share: number }>({
    title: "Expected chunks are missing",
    severity: "error",
    explain: ({ missing, chunks, share }) =>
      `${share === 1 ? "The array is expected to be complete" : `At least ${percentExactly(share)} of the chunks are expected to have a reference`}: ${missing} of ${counted(chunks, "chunk")} ${missing === 1 ? "has" : "have"} none.`,
    remedy: AS_EXPECTED,
    readers: "zarr-python silently reads them as the fill value.",
    about: "references",
    question: "complete",
    example: { place: nodeAt("sst"), facts: { missing: 6, chunks: 48, share: 1 } },
  }),
  "expected-range": entry<{ readonly expected: string; readonly found: string }>({
    title: "A coordinate does not cover the expected range",
    severity: "error",
    explain: ({ expected, found }) => `The range ${expected} is expected to be covered; the coordinate has ${found}.`,
    remedy: AS_EXPECTED,
    readers: NO_READER,
    about: "values",
    question: "complete",
    example: {
      place: nodeAt("time"),
      facts: { expected: "2026-01-01 to 2026-01-31", found: "2026-01-01 to 2026-01-30" },
    },
  }),
  "expected-step": entry<{
    readonly expected: string;
    readonly found: string;
    readonly at: string;
    readonly steps: number;
  }>({
    title: "Unexpected coordinate step",
    severity: "error",
    explain: ({ expected, found, at, steps }) =>
      `Steps of ${expected} are expected; ${counted(steps, "step")} ${steps === 1 ? "is" : "are"} another, the first ${found} at ${at}.`,
    remedy: AS_EXPECTED,
    readers: NO_READER,
    about: "values",
    question: "complete",
    example: { place: nodeAt("time"), facts: { expected: "1 day", found: "2 days", at: "2026-01-14", steps: 1 } },
  }),
  /** `values`: the first of those that are missing. */
  "expected-values": entry<{
    readonly values: readonly string[];
    readonly missing: number;
    readonly expected: number;
  }>({
    title: "Expected coordinate values are missing",
    severity: "error",
    explain: ({ values, missing, expected }) =>
      `Of ${counted(expected, "expected value")} ${missing} ${missing === 1 ? "is" : "are"} not there: ${some(values, missing)}.`,
    remedy: AS_EXPECTED,
    readers: NO_READER,
    about: "values",
    question: "complete",
    example: { place: nodeAt("level"), facts: { values: ["850", "700"], missing: 2, expected: 12 } },
  }),
  "expected-unread": entry<{ readonly cause: Finding | undefined }>({
    title: "An expected coordinate could not be read",
    severity: "warning",
    explain: () => "Whether the expected range is covered is not known: the coordinate's values could not be read.",
    remedy: "Look at the coordinate's own chunks first.",
    readers: NO_READER,
    about: "values",
    question: "complete",
    example: { place: nodeAt("time"), facts: { cause: undefined } },
  }),
  "acceptance-unused": entry<{ readonly accepted: string; readonly reason: string; readonly date: string }>({
    title: "Unused acceptance",
    severity: "info",
    explain: ({ accepted, reason, date }) =>
      `${accepted} was accepted on ${date} (${reason.replace(/\.$/, "")}), and is not found any more.`,
    remedy: "Remove the acceptance, so that Check reports the problem if it comes back.",
    readers: "No reader is affected.",
    about: "page",
    example: {
      place: WHOLE_SET,
      facts: { accepted: "chunks-missing of sst", reason: "not delivered", date: "2026-11-23" },
    },
  }),
};
