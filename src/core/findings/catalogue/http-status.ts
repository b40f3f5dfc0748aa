/** An answer with another status than was asked for. */
import { targetAt } from "../place.ts";
import { entry } from "./entry.ts";
import { count, quoted } from "../../words.ts";

const SEEN_AS_FILL = "zarr-python silently reads a missing target as the fill value; on other failures it raises.";
const READERS_RAISE = "zarr-python raises as well, or reads the fill value where fsspec treats the failure as absence.";
const WHOLE_TARGET = targetAt("https://data.example/ocean-a.nc");

export const attempted = (attempts: number) => (attempts > 1 ? ` (${attempts} attempts)` : "");

const STATUS_MEANINGS: Readonly<Record<number, string>> = {
  301: "the target is elsewhere; S3 also sends this for a bucket of another region",
  400: "the server did not understand the request; S3 also sends this for a wrong region or bad credentials",
  401: "the server wants credentials",
  403: "access is refused; S3 also sends this for a key that does not exist in a bucket that may not be listed",
  404: "there is nothing at this address",
  405: "the server does not let this address be read",
  410: "the target has been removed for good",
  412: "the target has changed since",
  416: "the server refuses the range, though the target is long enough",
  429: "the server asks for fewer requests",
  500: "the server failed",
  502: "a gateway before the server failed",
  503: "the server is overloaded or down; S3 also sends this to ask for fewer requests",
  504: "a gateway timed out waiting for the server",
};

const STATUS_REMEDIES: Readonly<Record<number, string>> = {
  301: "For S3, set the bucket's region in the locations.",
  400: "Check the URL; for S3, set the bucket's region in the locations.",
  401: "Give credentials for this URL prefix in the locations.",
  403: "Check that the target exists and is public, or give credentials for this URL prefix in the locations.",
  404: "Check the reference's URL; if the data has moved, add a rewrite rule from the old prefix to the new one.",
  410: "If the data has moved, add a rewrite rule from the old prefix to the new one.",
  416: "Serve the target from a host that supports range requests, and add a rewrite rule to it.",
  429: "Wait a little, then read it again.",
};

/** `expected`: the status that the request should have. `sought`: what the user opened, where it is not a target. */
type HttpStatus = {
  readonly status: number;
  readonly expected: readonly number[];
  readonly attempts: number;
  readonly sought?: "document" | "document or store";
  /** What the body says, where it is a store's error document. */
  readonly said?: { readonly code: string; readonly message: string };
  /** S3 named the bucket's region. */
  readonly region?: string;
  /** Of one cause, where all were asked; absent = 1. */
  readonly targets?: number;
  /** A target of nearly the same name that is there: servers that do not list refuse what they do not have. */
  readonly near?: string;
};

const saidWords = ({ said }: HttpStatus): string =>
  said === undefined
    ? ""
    : ` The server says ${said.code}${said.message === "" ? "" : `: ${quoted(said.message.replace(/\.$/, ""), 120)}`}.`;

const isRequesterPays = ({ status, said }: HttpStatus): boolean =>
  status === 403 && /requester.?pays/i.test(`${said?.code} ${said?.message}`);

function statusRemedy(facts: HttpStatus): string | undefined {
  const { status, said, region } = facts;
  if (isRequesterPays(facts))
    return "The bucket's reader pays: in Python give requester_pays=True with an account; a page cannot read it.";
  if (said?.code === "NoSuchBucket") return "Check the bucket's name and region: there is no such bucket.";
  if (region !== undefined && (status === 301 || status === 400))
    return `Set the bucket's region in the locations: it is ${region}.`;
  return STATUS_REMEDIES[status];
}

const SOUGHT: Readonly<Record<NonNullable<HttpStatus["sought"]>, readonly [explanation: string, remedy: string]>> = {
  document: ["", "Check the address: open it in a tab of its own to see what the server says."],
  "document or store": [
    " Under the address there is neither metadata of a Zarr store (zarr.json, .zmetadata, .zgroup or .zarray) nor an Icechunk repository (repo, or refs/branch.main/ref.json).",
    "Check the address, and give that of the store's root: a browser cannot list what a folder holds.",
  ],
};

export const HTTP_STATUS = {
  "http-status": entry<HttpStatus>({
    title: "The server answers with an error",
    brief: ({ status }) => String(status),
    severity: "error",
    explain: (facts) => {
      const { status, expected, attempts, sought, near, targets = 1 } = facts;
      const meaning = STATUS_MEANINGS[status];
      const to = targets === 1 ? "" : ` for ${count(targets)} targets`;
      return `The server answered status ${status}${to}${meaning === undefined ? "" : `: ${meaning}`}${attempted(attempts)}.${saidWords(facts)} Status ${expected.join(" or ")} was expected.${near === undefined ? "" : ` The set has ${quoted(near)}, which is there: perhaps that is meant.`}${sought === undefined ? "" : SOUGHT[sought][0]}`;
    },
    remedy: ({ status, sought, ...facts }) =>
      (sought === undefined ? statusRemedy({ status, ...facts }) : SOUGHT[sought][1]) ??
      (status >= 500 ? "The server is at fault: try again later." : "Open the URL to see what it says."),
    readers: ({ status }) => (status === 404 || status === 403 ? SEEN_AS_FILL : READERS_RAISE),
    about: "source",
    action: ({ status }) => (status === 401 || status === 403 || status === 404 ? "locations" : undefined),
    causes: true,
    follows: true,
    example: { place: WHOLE_TARGET, facts: { status: 404, expected: [206], attempts: 1 } },
  }),
};
