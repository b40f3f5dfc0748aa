/** Requests that gave no bytes, fewer, or others than were asked for. */
import { count, counted, quoted } from "../../words.ts";
import { targetAt } from "../place.ts";
import { entry, type Entry } from "./entry.ts";

// An answer with another status than was asked for.

const SEEN_AS_FILL = "zarr-python silently reads a missing target as the fill value; on other failures it raises.";
const READERS_RAISE = "zarr-python raises as well, or reads the fill value where fsspec treats the failure as absence.";
const HTTP_STATUS_WHOLE_TARGET = targetAt("https://data.example/ocean-a.nc");

const attempted = (attempts: number) => (attempts > 1 ? ` (${attempts} attempts)` : "");

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
  403: "Check that the target exists and is public, or add credentials for this URL prefix in Locations.",
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
  /** When the signature of the address expired. */
  readonly signatureEnded?: string;
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

const HTTP_STATUS = {
  "http-status": entry<HttpStatus>({
    title: "The server returned an error",
    heading: ({ signatureEnded }) =>
      signatureEnded === undefined ? undefined : "The server refuses an expired signature",
    brief: ({ status }) => String(status),
    severity: "error",
    explain: (facts) => {
      const { status, expected, attempts, sought, near, signatureEnded, targets = 1 } = facts;
      const meaning = STATUS_MEANINGS[status];
      const to = targets === 1 ? "" : ` for ${count(targets)} targets`;
      return `The server returned ${status}${to}${meaning === undefined ? "" : `: ${meaning}`}${attempted(attempts)}.${saidWords(facts)} Expected ${expected.join(" or ")}.${signatureEnded === undefined ? "" : ` The address is signed, and its signature expired at ${signatureEnded} UTC.`}${near === undefined ? "" : ` Did you mean ${quoted(near)}, which exists?`}${sought === undefined ? "" : SOUGHT[sought][0]}`;
    },
    remedy: ({ status, sought, ...facts }) =>
      (facts.signatureEnded === undefined
        ? undefined
        : "Sign the URLs again, or use unsigned URLs and give the reader credentials.") ??
      (sought === undefined ? statusRemedy({ status, ...facts }) : SOUGHT[sought][1]) ??
      (status >= 500 ? "The server is at fault: try again later." : "Open the URL to see what it says."),
    readers: ({ status }) => (status === 404 || status === 403 ? SEEN_AS_FILL : READERS_RAISE),
    about: "source",
    action: ({ status }) => (status === 401 || status === 403 || status === 404 ? "locations" : undefined),
    example: { place: HTTP_STATUS_WHOLE_TARGET, facts: { status: 404, expected: [206], attempts: 1 } },
  }),
};

const SHORT = "fsspec returns what came: codecs fail on it, uncompressed chunks are refused by their size.";

const EXAMPLE_TARGET = targetAt("https://data.example/ocean-a.nc", { offset: 7432, length: 768 });

/** Where the whole target was sent instead of a range: cut out of it, or too far in to be. */
type WholeTarget =
  | { readonly outcome: "cut"; readonly received: number }
  | { readonly outcome: "too-deep"; readonly limit: number }
  /** Seen when targets were asked: so many of them. */
  | {
      readonly outcome: "seen";
      readonly size: number | undefined;
      readonly encoding?: string;
      readonly targets?: number;
    };

function outcomeOf(facts: WholeTarget): string {
  switch (facts.outcome) {
    case "cut":
      return `The range was cut out of the ${counted(facts.received, "byte")} that were read.`;
    case "too-deep":
      return `The range ends past the first ${counted(facts.limit, "byte")}, and no more than that is read to reach a range.`;
    case "seen": {
      const all = facts.size === undefined ? "the whole target" : `all ${counted(facts.size, "byte")}`;
      const many = (facts.targets ?? 1) === 1 ? "" : ` So it is with ${count(facts.targets ?? 1)} targets.`;
      if (facts.encoding === undefined) return `Every chunk read from it costs ${all}.${many}`;
      const named = facts.encoding === HIDDEN_ENCODING ? "" : ` (Content-Encoding: ${facts.encoding})`;
      return `Chrome refuses these${named}, so that every chunk read there costs ${all}; a reader that does not decompress them gets other bytes than the references mean.${many}`;
    }
  }
}

/** Another origin need not say how it compresses. */
const HIDDEN_ENCODING = "unknown";

function wholeTarget(title: string, why: string, seen: string, remedy: string): Entry<WholeTarget> {
  return entry<WholeTarget>({
    title,
    severity: ({ outcome }) => (outcome === "too-deep" ? "error" : "warning"),
    explain: (facts) => `${facts.outcome === "seen" ? seen : why} ${outcomeOf(facts)}`,
    remedy,
    readers: "fsspec reads the whole target, or raises; if it takes the whole answer for the range, values are wrong.",
    about: "source",
    action: ({ outcome }) => (outcome === "too-deep" ? "locations" : undefined),
    example: { place: EXAMPLE_TARGET, facts: { outcome: "cut", received: 8200 } },
  });
}

const reasoned = (reason: string | undefined) => (reason === undefined ? "" : ` (${reason})`);
/** What Node says, in words. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/ENOTFOUND|EAI_/, "the host name could not be resolved (DNS)"],
  [/ECONNREFUSED/, "the host refused the connection: nothing is listening on this port"],
  [/bad port/, "the host is unreachable, since browsers and Node connect to no such port"],
  [/ETIMEDOUT|CONNECT_TIMEOUT/, "the host is unreachable, since connecting to it took too long"],
  [/ENETUNREACH|EHOSTUNREACH/, "the host is unreachable, since no way leads to it"],
  [
    /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS|SSL/,
    "the host's TLS certificate is not valid, so that no connection is made",
  ],
  [/ECONNRESET|SOCKET/, "the host closed the connection before it answered"],
];

/** Why no connection came about, in words. */
export function connectionReason(reason: string): string {
  const known = REASONS.find(([pattern]) => pattern.test(reason))?.[1] ?? "no connection is made";
  return `${known.charAt(0).toUpperCase()}${known.slice(1)} (${reason}).`;
}

const TRY_LATER = "The server or the connection fails: try again later.";
const RAISE_TOO = "fsspec raises as well.";
const BROWSERS_ONLY = "Python's readers are not affected: only browsers enforce this.";
const WHOLE_TARGET = targetAt("https://data.example/ocean-a.nc");

export const NETWORK = {
  ...HTTP_STATUS,
  "range-past-end": entry<{ readonly end: number; readonly size: number | undefined }>({
    title: "Range past the end of the source file",
    brief: () => "past the end",
    severity: "error",
    explain: ({ end, size }) =>
      size === undefined
        ? `The reference reaches to byte ${count(end)} of its target; the server says that this lies outside it (status 416).`
        : `The reference reaches to byte ${count(end)} of its target, which has only ${counted(size, "byte")}: ${count(end - size)} too few.`,
    remedy:
      "Correct the reference's offset and length; where the file was cut off or replaced since, fetch it again or make the references anew.",
    readers: SHORT,
    about: "source",
    inPlace: true,
    example: { place: EXAMPLE_TARGET, facts: { end: 8200, size: 8000 } },
  }),
  "short-read": entry<{
    readonly received: number;
    readonly length: number;
    /** Where the range ends, and the target, where its size is known. */
    readonly end: number;
    readonly size: number | undefined;
    /** What came was decoded all the same. */
    readonly handedOn?: true;
  }>({
    title: "Fewer bytes received than requested",
    brief: () => "cut off",
    severity: "error",
    explain: ({ received, length, size, handedOn }) =>
      `The range has ${counted(length, "byte")}; ${count(received)} came.${size === undefined ? "" : ` The target has ${counted(size, "byte")}.`}${handedOn === true ? " They are decoded as they are, as fsspec hands them on." : ""}`,
    remedy: ({ size, end }) =>
      size !== undefined && size >= end
        ? "The target is long enough: the server, or something before it, sent less than it was asked for; try again."
        : "The target is shorter than when the reference was made, or the reference's length is wrong.",
    readers: SHORT,
    about: "source",
    inPlace: true,
    example: { place: EXAMPLE_TARGET, facts: { received: 568, length: 768, end: 8200, size: 8000 } },
  }),
  /** Seen when targets were asked: `size` is that of the whole target. */
  "range-short": entry<{
    readonly received: number;
    readonly length: number;
    readonly size: number | undefined;
    readonly targets?: number;
  }>({
    title: "The server truncates ranges",
    severity: "error",
    explain: ({ received, length, size, targets = 1 }) => {
      const has = size === undefined ? "The target goes on" : `The target has ${counted(size, "byte")}`;
      const many = targets === 1 ? "" : ` So it is with ${count(targets)} targets.`;
      return `${has}, but of a range of ${counted(length, "byte")} within it only ${count(received)} came.${many}`;
    },
    remedy:
      "The references are right; the server, or a proxy before it, cuts its answers: serve the target from another host, and add a rewrite rule to it.",
    readers: SHORT,
    about: "source",
    action: "locations",
    example: { place: WHOLE_TARGET, facts: { received: 8, length: 16, size: 40_960 } },
  }),
  "range-mismatch": entry<
    | {
        readonly problem: "other-range";
        readonly first: number;
        readonly last: number | undefined;
        readonly asked?: { readonly offset: number; readonly length: number };
        readonly targets?: number;
      }
    | { readonly problem: "too-many-bytes"; readonly length: number; readonly received: number | undefined }
  >({
    title: "The server returned a different range",
    severity: "error",
    explain: (facts) =>
      facts.problem === "other-range"
        ? `The server sent bytes ${facts.first}–${facts.last ?? ""}, by its Content-Range; these are not the ones that were asked for${facts.asked === undefined ? "" : ` (bytes ${facts.asked.offset}–${facts.asked.offset + facts.asked.length - 1})`}.`
        : `The range has ${counted(facts.length, "byte")}; the server sent ${facts.received === undefined ? "more" : count(facts.received)}.`,
    remedy: "What came cannot be used: serve the target from another host, and add a rewrite rule to it.",
    readers: "fsspec does not compare the ranges: it passes on what came, and values are wrong or codecs fail.",
    about: "source",
    action: "locations",
    inPlace: true,
    example: { place: EXAMPLE_TARGET, facts: { problem: "other-range", first: 0, last: 767 } },
  }),
  /** `isFile`: it is what a file holds. `targets`: of one cause, where all were asked; absent = 1. */
  "web-page": entry<{
    readonly words: string;
    readonly redirectedTo?: string;
    readonly isFile?: boolean;
    readonly targets?: number;
  }>({
    title: "Web page instead of data",
    severity: "error",
    explain: ({ words, redirectedTo, isFile = false, targets = 1 }) => {
      const to = targets === 1 ? "" : ` for ${count(targets)} targets`;
      if (isFile) return `Instead of the data the file holds a web page (HTML)${to}: ${quoted(words)}.`;
      const where = redirectedTo === undefined ? "" : `, after a redirect to ${redirectedTo}`;
      return `Instead of the data the server sent a web page (HTML)${to}${where}: ${quoted(words)}.`;
    },
    remedy:
      "The server may want you to sign in, or send this page for whatever it does not have: open the address in a tab of its own to see.",
    readers:
      "Every reader takes the page for the data: codecs fail on it, and uncompressed chunks have its letters as values.",
    about: "source",
    action: "locations",
    noSet: true,
    example: { place: WHOLE_TARGET, facts: { words: "Sign in" } },
  }),
  "range-ignored": wholeTarget(
    "The server ignores ranges",
    "The server ignored the range and sent the target from its start (status 200 instead of 206).",
    "The server ignores ranges and sends the target from its start (status 200 instead of 206).",
    "Serve the target from a host that supports range requests, and add a rewrite rule to it.",
  ),
  "range-encoded": wholeTarget(
    "The server compresses ranges",
    "The server compresses its answers to range requests, which this browser refuses, so the target was asked for whole.",
    "The server compresses its answers to range requests.",
    "Let the server send these files as they are (nginx: gzip off; Apache: SetEnv no-gzip 1; a CDN: no compression), or serve them from another host and add a rewrite rule to it.",
  ),
  "response-too-large": entry<{ readonly size: number; readonly limit: number }>({
    title: "Too large to be read at once",
    severity: "error",
    explain: ({ size, limit }) =>
      `At most ${counted(limit, "byte")} are read at once; here there are ${count(size)} or more.`,
    remedy: "Check the reference's length; nothing so large is read here.",
    readers: "fsspec has no such limit: it reads on as far as memory goes.",
    about: "source",
    example: { place: WHOLE_TARGET, facts: { size: 2 ** 33, limit: 2 ** 30 } },
  }),
  "out-of-memory": entry<{ readonly reason: string }>({
    title: "Not enough memory",
    severity: "error",
    explain: ({ reason }) => `There was no room in memory for the bytes (${reason}).`,
    remedy: "Close other sets and tabs, or read something smaller.",
    readers: "Other readers may have more memory.",
    about: "page",
    example: { place: WHOLE_TARGET, facts: { reason: "Array buffer allocation failed" } },
  }),
  timeout: entry<{ readonly idle: number; readonly received: number }>({
    title: "Download stalled",
    severity: "error",
    explain: ({ idle, received }) =>
      `Some bytes were expected at least every ${counted(idle / 1000, "second")}; ${received === 0 ? "none came" : `after ${counted(received, "byte")} no more came`}.`,
    remedy: "The server, the connection or the browser hangs: try again later.",
    readers: "fsspec waits as long as it is configured to, by default five minutes, and raises then.",
    about: "source",
    example: { place: WHOLE_TARGET, facts: { idle: 30_000, received: 0 } },
  }),
  "connection-dropped": entry<{
    readonly received: number;
    readonly expected: number | undefined;
    readonly attempts: number;
    readonly reason: string | undefined;
  }>({
    title: "The connection was lost",
    severity: "error",
    explain: ({ received, expected, attempts, reason }) =>
      `The connection was closed after ${counted(received, "byte")}${expected === undefined ? "" : ` of ${count(expected)}`}${attempted(attempts)}${reasoned(reason)}.`,
    remedy: TRY_LATER,
    readers: RAISE_TOO,
    about: "source",
    example: { place: WHOLE_TARGET, facts: { received: 40, expected: 768, attempts: 3, reason: undefined } },
  }),
  "host-unreachable": entry<{ readonly reason: string | undefined; readonly targets?: number }>({
    title: "Host unreachable",
    severity: "error",
    explain: ({ reason, targets = 1 }) => {
      const known = reason === undefined ? undefined : REASONS.find(([pattern]) => pattern.test(reason))?.[1];
      const why = known ?? "the host does not exist, is down, refuses the connection or has a bad certificate";
      const to = targets === 1 ? "" : ` for ${count(targets)} targets, most of which were not asked any more`;
      return `No answer came${to}: ${why}${reasoned(reason)}.`;
    },
    remedy: ({ reason }) =>
      reason === undefined
        ? "Check the host's name; an extension, a firewall or the browser's own rules may also block it."
        : "Check the host's name and port, and the machine's own network, proxy and firewall.",
    readers: "fsspec raises as well, unless only this browser is blocked.",
    about: "source",
    action: "locations",
    example: { place: WHOLE_TARGET, facts: { reason: undefined } },
  }),
  /** `redirects`: the host allows it, and leads to where it is not allowed. */
  "cors-missing": entry<{ readonly withCredentials: boolean; readonly redirects?: boolean }>({
    title: "Blocked by CORS",
    severity: "error",
    explain: ({ withCredentials, redirects = false }) =>
      redirects
        ? "The host answers with a redirect, and where that leads, other sites' pages may not read (CORS). A browser does not say where that is."
        : `The host answers, but does not allow other sites' pages to read it (CORS)${withCredentials ? "; with your credentials attached a redirect is refused too, and the server must allow their headers" : ""}.`,
    remedy: ({ redirects = false }) =>
      redirects
        ? "See in a terminal where the redirect leads, and ask that host to send Access-Control-Allow-Origin, or add a rewrite rule to an address that pages may read."
        : "Ask the host of the data to send Access-Control-Allow-Origin, read it through a mirror with a rewrite rule, or drop the target file here.",
    readers: BROWSERS_ONLY,
    about: "source",
    action: "locations",
    example: { place: WHOLE_TARGET, facts: { withCredentials: false } },
  }),
  "redirects-too-many": entry<{ readonly limit: number }>({
    title: "Too many redirects",
    severity: "error",
    explain: ({ limit }) => `The server redirected the request more than ${counted(limit, "time")}.`,
    remedy: "The server redirects in a loop. Check the URL.",
    readers: RAISE_TOO,
    about: "source",
    example: { place: WHOLE_TARGET, facts: { limit: 20 } },
  }),
  "redirect-to-private": entry<{ readonly host: string }>({
    title: "Redirect to a private network",
    severity: "error",
    explain: ({ host }) =>
      `The server redirects the request to ${host}, which is this machine or in a private network; an address on the public internet was expected, as this one is.`,
    remedy: "If you trust the set, allow private addresses for it.",
    readers: "fsspec follows the redirect and reads what is there.",
    about: "source",
    action: "locations",
    example: { place: WHOLE_TARGET, facts: { host: "http://192.168.0.7" } },
  }),
};
