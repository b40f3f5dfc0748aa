/** Requests that gave no bytes, fewer, or others than were asked for. */
import { targetAt } from "../place.ts";
import { entry } from "./entry.ts";
import { counted } from "./phrases.ts";

const SEEN_AS_FILL =
  "zarr-python reads a target that is not found as fill value, without a word; on other failures it raises.";
const READERS_RAISE = "zarr-python raises as well, or reads fill value where fsspec takes the failure for absence.";
const SHORT = "fsspec returns what came: codecs fail on it, uncompressed chunks are refused by their size.";

const STATUS_MEANINGS: Readonly<Record<number, string>> = {
  301: "the target is elsewhere; S3 answers so for a bucket of another region",
  400: "the server did not understand the request; S3 also answers so for a wrong region or bad credentials",
  401: "the server wants credentials",
  403: "access is refused; S3 also answers so for a key that does not exist in a bucket that may not be listed",
  404: "there is nothing at this address",
  405: "the server does not let this address be read",
  410: "the target has been removed for good",
  412: "the target has changed since",
  429: "the server asks for fewer requests",
  500: "the server failed",
  502: "a gateway before the server failed",
  503: "the server is overloaded or down; S3 answers so to ask for fewer requests",
  504: "a gateway waited in vain for the server",
};

const STATUS_REMEDIES: Readonly<Record<number, string>> = {
  301: "For S3, set the bucket's region in the locations.",
  400: "Check the URL; for S3, set the bucket's region in the locations.",
  401: "Give credentials for this URL prefix in the locations.",
  403: "Check that the target exists and is public, or give credentials for this URL prefix in the locations.",
  404: "Check the reference's URL; if the data has moved, add a rewrite rule from the old prefix to the new one.",
  410: "If the data has moved, add a rewrite rule from the old prefix to the new one.",
  429: "Wait a little, then read it again.",
};

const attempted = (attempts: number) => (attempts > 1 ? ` (${attempts} attempts)` : "");

const EXAMPLE_TARGET = targetAt("https://data.example/ocean-a.nc", { offset: 7432, length: 768 });

/** `expected`: the status that the request should have. */
type HttpStatus = { readonly status: number; readonly expected: readonly number[]; readonly attempts: number };

export const NETWORK = {
  "http-status": entry<HttpStatus>({
    title: "The server answers with an error",
    severity: "error",
    explain: ({ status, expected, attempts }) => {
      const meaning = STATUS_MEANINGS[status];
      return `The server answered status ${status}${meaning === undefined ? "" : `: ${meaning}`}${attempted(attempts)}. Expected was status ${expected.join(" or ")}.`;
    },
    remedy: ({ status }) =>
      STATUS_REMEDIES[status] ??
      (status >= 500 ? "The fault is the server's: try again later." : "Open the URL to see what it says."),
    readers: ({ status }) => (status === 404 || status === 403 ? SEEN_AS_FILL : READERS_RAISE),
    about: "source",
    action: ({ status }) => (status === 401 || status === 403 || status === 404 ? "locations" : undefined),
    example: { place: EXAMPLE_TARGET, facts: { status: 404, expected: [206], attempts: 1 } },
  }),
  "range-past-end": entry<{ readonly end: number; readonly size: number | undefined }>({
    title: "The range lies past the end of its target",
    severity: "error",
    explain: ({ end, size }) =>
      `The target must have at least ${counted(end, "byte")}; ${size === undefined ? "the server says that the range lies outside it (status 416)" : `it has ${counted(size, "byte")}`}.`,
    remedy: "The target is shorter than when the reference was made, or the offset is wrong.",
    readers: SHORT,
    about: "source",
    inPlace: true,
    example: { place: EXAMPLE_TARGET, facts: { end: 8200, size: 8000 } },
  }),
};
