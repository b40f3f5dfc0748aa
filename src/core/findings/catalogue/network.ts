/** Requests: that cannot be made, or that gave no bytes, fewer, or others than requested. */
import { count, counted, listed, quoted } from "#core/words.ts";
import { isSigned, SIGN_IN_STEPS, signInOf } from "#core/access/sign-in.ts";
import { sentenceOf, type ToldBy } from "#core/words/sentences.ts";
import { about, type Entry } from "./entry.ts";

const SEEN_AS_FILL = "zarr-python silently reads a missing source as the fill value; on other failures it raises.";
const READERS_RAISE = "zarr-python also raises, or returns the fill value if fsspec treats the failure as absence.";

const attempted = (attempts: number) => (attempts > 1 ? ` (${attempts} attempts)` : "");

const STATUS_MEANINGS: Readonly<Record<number, string>> = {
  301: "the source has moved; S3 also sends this for a bucket in another region",
  400: "the server did not understand the request; S3 also sends this for a wrong region or bad credentials",
  401: "the server requires credentials",
  403: "access is denied; S3 also sends this for a missing key in a bucket that may not be listed",
  404: "there is nothing at this URL",
  405: "the server does not allow this URL to be read",
  409: "the server refuses the request; Azure sends this where it allows no access without credentials",
  410: "the source has been removed permanently",
  412: "the source has changed since",
  416: "the server refuses the range, although the source is long enough",
  429: "the server asks for fewer requests",
  500: "the server failed",
  502: "a gateway in front of the server failed",
  503: "the server is overloaded or down; S3 also sends this to ask for fewer requests",
  504: "a gateway timed out waiting for the server",
};

const STATUS_REMEDIES: Readonly<Record<number, string>> = {
  301: "For S3, set the bucket's region in Locations.",
  400: "Check the URL. For S3, set the bucket's region in Locations.",
  401: "Add credentials for this URL prefix in Locations.",
  403: "Check that the source exists and is public, or add credentials for this URL prefix in Locations.",
  404: "Check the reference's URL. If the data has moved, add a rewrite rule from the old prefix to the new one.",
  409: "Read it with credentials (on Azure a SAS token, or account and key), or allow public access to the container.",
  410: "If the data has moved, add a rewrite rule from the old prefix to the new one.",
  416: "Serve the source file from a host that supports range requests, and add a rewrite rule to it.",
  429: "Wait a while, then read it again.",
};

type NotRelayed = {
  readonly problem: "ended" | "refused" | "private" | "redirect";
  readonly host: string;
};

const NOT_RELAYED: Readonly<Record<NotRelayed["problem"], (host: string) => string>> = {
  ended: () => "The page’s own server on this computer, which fetches this source, does not answer: it has ended.",
  refused: (host) =>
    `The page’s own server on this computer does not fetch from ${host}: the dataset is not known to lie there.`,
  private: (host) =>
    `The name ${host} means an address on this computer or a private network, which is not asked unless you say so.`,
  redirect: (host) =>
    `The server redirects the request to ${host}, which is neither a public https address nor one of the dataset’s own hosts.`,
};

/** `expected`: the status that the request should have. `sought`: what the user opened, where it is not a source. */
type HttpStatus = {
  readonly status: number;
  readonly expected: readonly number[];
  readonly attempts: number;
  readonly sought?: "document" | "document or store" | "store";
  /** Code and message of the body, if it is a store's error document. */
  readonly said?: Said;
  /** S3 named the bucket's region. */
  readonly region?: string;
  /** Number of sources with this cause, if all were checked; absent = 1. */
  readonly targets?: number;
  /** A source of nearly the same name that exists: servers that do not list refuse what they do not have. */
  readonly near?: string;
  /** Status of the host for a name that cannot exist, and whether it has other sources. */
  readonly unknownName?: number;
  readonly othersHere?: boolean;
  /** When the signature of the address expired. */
  readonly signatureEnded?: string;
};

/** Code and message of an error document of a store. */
type Said = { readonly code: string; readonly message: string };

/** A status of 401 or 403. */
export type Refusal = { readonly status: number; readonly said?: Said };

export const saidWords = ({ said }: Pick<HttpStatus, "said">): string =>
  said === undefined
    ? ""
    : ` The server says ${said.code}${said.message === "" ? "" : `: ${quoted(said.message.replace(/\.$/, ""), 120)}`}.`;

/** The host says the same of what it cannot have. */
const mayBeMissing = ({ status, unknownName }: HttpStatus): boolean => status === 403 && unknownName === 403;

function unknownWords(facts: HttpStatus): string {
  const { unknownName, othersHere = false } = facts;
  if (unknownName === undefined) return "";
  if (!mayBeMissing(facts))
    return ` It returns ${unknownName} for a name that cannot exist, so access to this one is denied.`;
  return ` It also returns 403 for a name that cannot exist${othersHere ? ", and other sources there can be read: the source is probably missing" : ", so the source may be missing or denied"}.`;
}

const isRequesterPays = ({ status, said }: HttpStatus): boolean =>
  status === 403 && /requester.?pays/i.test(`${said?.code} ${said?.message}`);

function statusRemedy(facts: HttpStatus): string | undefined {
  const { status, said, region } = facts;
  if (isRequesterPays(facts))
    return "This is a requester-pays bucket. In Python, pass requester_pays=True with an account; a page cannot read it.";
  if (mayBeMissing(facts) && facts.othersHere === true)
    return "Check that the source exists: here 403 also means “not found”. If it does, make it public or add credentials.";
  if (said?.code === "NoSuchBucket") return "Check the bucket's name and region: the bucket does not exist.";
  if (region !== undefined && (status === 301 || status === 400))
    return `Set the bucket's region in Locations: it is ${region}.`;
  return STATUS_REMEDIES[status];
}

const DENIES: ReadonlySet<number> = new Set([401, 403, 409]);

const SOUGHT: Readonly<Record<NonNullable<HttpStatus["sought"]>, readonly [explanation: string, remedy?: string]>> = {
  store: [" It refuses every file that a Zarr store or an Icechunk repository begins with."],
  document: ["", "Check the URL: open it in its own tab to see what the server says."],
  "document or store": [
    " The URL has neither Zarr metadata (zarr.json, .zmetadata, .zgroup or .zarray) nor an Icechunk repository (repo, or refs/branch.main/ref.json).",
    "Check the URL: a store opens at its root, the folder that has this metadata. A folder of data files opens where the server lists it and the URL ends with a slash.",
  ],
};

const SHORT =
  "fsspec passes on what it received: codecs fail on it, and uncompressed chunks are refused for their size.";

type SeenWhole = { size: number | undefined; encoding?: string; targets?: number };

/** Cases in which the whole file came instead of a range: the range is cut out of it, or lies too far in. */
const WHOLE_TARGETS = {
  cut: ({ received }: { received: number }) =>
    `Refscope cut the range out of the ${counted(received, "byte")} it read.`,
  "too-deep": ({ limit }: { limit: number }) =>
    `The range ends past the first ${counted(limit, "byte")}; Refscope reads no more than that to reach a range.`,
  /** Seen when sources were checked: so many of them. */
  seen: ({ size, encoding, targets = 1 }: SeenWhole) => {
    const all = size === undefined ? "the whole file" : `all ${counted(size, "byte")}`;
    const many = targets === 1 ? "" : ` The same applies to ${count(targets)} sources.`;
    if (encoding === undefined) return `Every chunk read from it costs ${all}.${many}`;
    const named = encoding === HIDDEN_ENCODING ? "" : ` (Content-Encoding: ${encoding})`;
    return `Chrome refuses these${named}, so every chunk read there costs ${all}. A reader that does not decompress them gets the wrong bytes.${many}`;
  },
};

type WholeTarget = ToldBy<typeof WHOLE_TARGETS, "outcome">;

/** Another origin need not say how it compresses. */
const HIDDEN_ENCODING = "unknown";

function wholeTarget(title: string, why: string, seen: string, remedy: string): Entry<WholeTarget> {
  return graded<WholeTarget>(title, {
    severity: ({ outcome }) => (outcome === "too-deep" ? "error" : "warning"),
    explain: (facts) => `${facts.outcome === "seen" ? seen : why} ${sentenceOf(WHOLE_TARGETS, "outcome")(facts)}`,
    remedy,
    readers: "fsspec reads the whole file, or raises. If it uses the whole response as the range, values are wrong.",
    action: ({ outcome }) => (outcome === "too-deep" ? "locations" : undefined),
  });
}

const reasoned = (reason: string | undefined) => (reason === undefined ? "" : ` (${reason})`);
/** Words for Node's error codes. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/ENOTFOUND|EAI_/, "the host name could not be resolved (DNS)"],
  [/ECONNREFUSED/, "the host refused the connection: nothing is listening on this port"],
  [/bad port/, "the host is unreachable: browsers and Node block this port"],
  [/ETIMEDOUT|CONNECT_TIMEOUT/, "the host is unreachable: connecting to it timed out"],
  [/ENETUNREACH|EHOSTUNREACH/, "the host is unreachable: there is no network route to it"],
  [/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS|SSL/, "the host's TLS certificate is not valid"],
  [/HPE_/, "the host responds, but not in HTTP/1.1 (a server of HTTP/2 without TLS, or none of HTTP)"],
  [/ECONNRESET|SOCKET/, "the host closed the connection before it responded"],
];

/** Why there is no connection, in words. */
export function connectionReason(reason: string): string {
  const known = REASONS.find(([pattern]) => pattern.test(reason))?.[1] ?? "the connection failed";
  return `${known.charAt(0).toUpperCase()}${known.slice(1)} (${reason}).`;
}

const TRY_LATER = "The server or the connection failed. Try again later.";
const RAISE_TOO = "fsspec also raises.";
const BROWSERS_ONLY = "Python's readers are not affected: only browsers enforce this.";

const { error, graded, warning } = about("source");
const located = about("source", { action: "locations" });

const signInAt = ({ words, redirectedTo }: WebPage) => signInOf(words, redirectedTo);

type RangeShort = { received: number; length: number; size: number | undefined; targets?: number };
type WebPage = { words: string; redirectedTo?: string; isFile?: boolean; targets?: number };

type CorsMissing = {
  withCredentials: boolean;
  /** The host allows it, and leads to where it is not allowed. */
  redirects?: boolean;
  /** The page has read other files of this host. */
  othersRead?: boolean;
};

export const NETWORK = {
  "http-status": error<HttpStatus>("The server returned an error", {
    heading: (facts) => {
      if (facts.signatureEnded !== undefined) return "The server rejects an expired signature";
      if (mayBeMissing(facts) && facts.othersHere === true) return "Source file missing, or access denied";
      return facts.said !== undefined && DENIES.has(facts.status) ? `Access denied (${facts.said.code})` : undefined;
    },
    brief: ({ status }) => String(status),
    explain: (facts) => {
      const { status, expected, attempts, sought, near, signatureEnded, targets = 1 } = facts;
      const meaning = STATUS_MEANINGS[status];
      const to = targets === 1 ? "" : ` for ${count(targets)} sources`;
      return `The server returned ${status}${to}${meaning === undefined ? "" : `: ${meaning}`}${attempted(attempts)}.${saidWords(facts)}${unknownWords(facts)} Expected ${expected.join(" or ")}.${signatureEnded === undefined ? "" : ` The URL is signed, and its signature expired at ${signatureEnded} UTC.`}${near === undefined ? "" : ` Did you mean ${quoted(near)}, which exists?`}${sought === undefined ? "" : SOUGHT[sought][0]}`;
    },
    remedy: ({ status, sought, ...facts }, place) =>
      (facts.signatureEnded === undefined
        ? undefined
        : "Sign the URLs again, or use unsigned URLs and give the reader credentials.") ??
      (place.kind === "target" && isSigned(place.target) && (status === 401 || status === 403)
        ? "Check the signature: when it ends, and that it is for reading (GET) this very object. Then sign the URLs again."
        : undefined) ??
      (sought === undefined || status === 401 || facts.said !== undefined ? undefined : SOUGHT[sought][1]) ??
      statusRemedy({ status, ...facts }) ??
      (status >= 500 ? "The server failed. Try again later." : "Open the URL to see what it says."),
    readers: ({ status }) => (status === 404 || status === 403 ? SEEN_AS_FILL : READERS_RAISE),
    action: ({ status }) => (status === 401 || status === 403 || status === 404 ? "locations" : undefined),
  }),
  /** `repeated`: refused or dropped, asked again, and answered then; of them `dropped` were dropped connections. */
  "requests-repeated": warning<{
    requests: number;
    repeated: number;
    statuses: readonly number[];
    dropped: number;
  }>("Refused requests had to be repeated", {
    explain: ({ requests, repeated, statuses, dropped }) => {
      const refused = repeated - dropped;
      const were = `${count(repeated)} of ${counted(requests, "request")} ${repeated === 1 ? "was" : "were"}`;
      const lost = `${dropped === 1 ? "a" : count(dropped)} dropped ${dropped === 1 ? "connection" : "connections"}`;
      const how =
        refused === 0
          ? "dropped"
          : `refused with status ${listed(statuses.map(String))}${dropped === 0 ? "" : ` (${lost} among them)`}`;
      return `${were} ${how}, and answered only when repeated.`;
    },
    remedy: "Send fewer requests at a time, and let the reader retry those that are refused.",
    readers:
      "Readers that take a refused request for a missing chunk return NaN or the fill value, in other places each time. zarr-python 2 does so for any error of the server (zarr-developers/zarr-python#1720).",
  }),
  "range-past-end": error<{ end: number; size: number | undefined }>("Range past the end of the source file", {
    brief: () => "past the end",
    explain: ({ end, size }) =>
      size === undefined
        ? `The reference reaches byte ${count(end)}, past the end of its source file (status 416).`
        : `The reference reaches byte ${count(end)}; its source file has only ${counted(size, "byte")}, ${count(end - size)} too few.`,
    remedy:
      "Correct the reference's offset and length. If the file was truncated or replaced, fetch it again or make the references again.",
    readers: SHORT,
    inPlace: true,
  }),
  "short-read": error<{
    received: number;
    length: number;
    /** End of the range, and of the file if its size is known. */
    end: number;
    size: number | undefined;
    /** Present if the bytes were decoded all the same. */
    handedOn?: true;
  }>("Fewer bytes received than requested", {
    brief: () => "truncated",
    explain: ({ received, length, size, handedOn }) =>
      `The range has ${counted(length, "byte")}; only ${count(received)} arrived.${size === undefined ? "" : ` The source file has ${counted(size, "byte")}.`}${handedOn === true ? " Refscope decodes them as they are, as fsspec does." : ""}`,
    remedy: ({ size, end }) =>
      size !== undefined && size >= end
        ? "The file is long enough, but the server or a proxy sent less than requested. Try again."
        : "Either the file is shorter than when the reference was made, or the reference's length is wrong.",
    readers: SHORT,
    inPlace: true,
  }),
  /** Seen when sources were checked: `size` is that of the whole file. */
  "range-short": error<RangeShort>("The server truncates ranges", {
    explain: ({ received, length, size, targets = 1 }) => {
      const has = size === undefined ? "The source file is longer" : `The source file has ${counted(size, "byte")}`;
      const many = targets === 1 ? "" : ` The same applies to ${count(targets)} sources.`;
      return `${has}, but of a range of ${counted(length, "byte")} within it only ${count(received)} arrived.${many}`;
    },
    remedy:
      "The references are right, but the server or a proxy truncates its responses. Serve the file from another host, and add a rewrite rule to it.",
    readers: SHORT,
    action: "locations",
  }),
  "range-mismatch": located.error<
    | {
        problem: "other-range";
        first: number;
        last: number | undefined;
        asked?: { offset: number; length: number };
        targets?: number;
      }
    | { problem: "too-many-bytes"; length: number; received: number | undefined }
  >("The server returned a different range", {
    explain: (facts) =>
      facts.problem === "other-range"
        ? `By its Content-Range the server sent bytes ${facts.first}–${facts.last ?? ""}, not the requested ones${facts.asked === undefined ? "" : ` (bytes ${facts.asked.offset}–${facts.asked.offset + facts.asked.length - 1})`}.`
        : `The range has ${counted(facts.length, "byte")}; the server sent ${facts.received === undefined ? "more" : count(facts.received)}.`,
    remedy: "The response cannot be used. Serve the file from another host, and add a rewrite rule to it.",
    readers: "fsspec does not compare the ranges: it passes on what it received, and values are wrong or codecs fail.",
    inPlace: true,
  }),
  /** `isFile`: it is what a file holds. `targets`: of one cause, where all were checked; absent = 1. */
  "web-page": located.error<WebPage>("Web page instead of data", {
    heading: (facts) => (signInAt(facts) === undefined ? undefined : "Sign-in page instead of data"),
    explain: ({ words, redirectedTo, isFile = false, targets = 1 }) => {
      const to = targets === 1 ? "" : ` for ${count(targets)} sources`;
      if (isFile) return `The file holds a web page (HTML) instead of data${to}: ${quoted(words)}.`;
      const where = redirectedTo === undefined ? "" : `, after a redirect to ${redirectedTo}`;
      return `The server sent a web page (HTML) instead of data${to}${where}: ${quoted(words)}.`;
    },
    remedy: (facts) => {
      const signIn = signInAt(facts);
      if (signIn !== undefined && facts.isFile !== true) return SIGN_IN_STEPS[signIn];
      if (facts.isFile === true)
        return "A page was saved in place of the data, perhaps one to sign in. Download the file again.";
      return "The server may require you to sign in, or send this page for anything it does not have. Open the URL in its own tab to see.";
    },
    readers:
      "Every reader reads the page as data: codecs fail on it, and uncompressed chunks get its letters as values.",
    noSet: true,
  }),
  "range-ignored": wholeTarget(
    "The server ignores ranges",
    "The server ignored the range and sent the file from its start (status 200 instead of 206).",
    "The server ignores ranges and sends the file from its start (status 200 instead of 206).",
    "Serve the file from a host that supports range requests, and add a rewrite rule to it.",
  ),
  // A server compresses ranges, or sends a file as it is stored, which is compressed: both send Content-Encoding.
  "range-encoded": wholeTarget(
    "Ranges sent with Content-Encoding",
    "The server sends ranges as compressed bytes (Content-Encoding), which this browser refuses. Refscope therefore requested the whole file.",
    "The server sends ranges as compressed bytes (Content-Encoding).",
    "Configure the server not to compress these files (nginx: gzip off; Apache: SetEnv no-gzip 1; a CDN: no compression). If they are stored compressed, let it send them without Content-Encoding (Apache: RemoveEncoding .gz; buckets: the object's Content-Encoding). Or serve them from another host, and add a rewrite rule to it.",
  ),
  "response-too-large": error<{ size: number; limit: number }>("Too large to read at once", {
    explain: ({ size, limit }) =>
      `Refscope reads at most ${counted(limit, "byte")} at once; this has ${count(size)} or more.`,
    remedy: "Check the reference's length.",
    readers: "fsspec has no such limit: it reads as much as fits in memory.",
  }),
  "out-of-memory": error<{ reason: string }>("Not enough memory", {
    explain: ({ reason }) => `There was not enough memory for the bytes (${reason}).`,
    remedy: "Close other datasets and tabs, or read something smaller.",
    readers: "Other readers may have more memory.",
    about: "page",
  }),
  timeout: error<{
    idle: number;
    received: number;
    /** Fewer bytes than these arrived in so many milliseconds. */
    slow?: { readonly bytes: number; readonly milliseconds: number; readonly arrived: number };
  }>("Download stalled", {
    explain: ({ idle, received, slow }) =>
      slow !== undefined
        ? `Expected at least ${counted(slow.bytes, "byte")} in ${counted(slow.milliseconds / 1000, "second")}; ${slow.arrived === 1 ? "1 arrived" : `${count(slow.arrived)} arrived`}.`
        : `Expected some bytes at least every ${counted(idle / 1000, "second")}; ${received === 0 ? "none arrived" : `none arrived after the first ${counted(received, "byte")}`}.`,
    remedy: "The server, the connection or the browser hangs. Try again later.",
    readers: "fsspec waits as long as configured (five minutes by default), then raises.",
  }),
  "source-changed": error<{ what: "size" | "etag" | "modified"; was: string; is: string }>(
    "Source file changed while read",
    {
      explain: ({ what, was, is }) => {
        const name = { size: "size", etag: "ETag", modified: "modification time" }[what];
        return `Expected all answers to be of one version of the file; its ${name} was ${was} in the first, and is ${is} in a later one.`;
      },
      remedy:
        "Open the dataset again when nobody writes the file any more. Values of several versions do not belong together.",
      readers: "Other readers do not notice: they mix bytes of both versions.",
    },
  ),
  "connection-dropped": error<{
    received: number;
    expected: number | undefined;
    attempts: number;
    reason: string | undefined;
  }>("Connection lost", {
    explain: ({ received, expected, attempts, reason }) =>
      `The connection was closed after ${counted(received, "byte")}${expected === undefined ? "" : ` of ${count(expected)}`}${attempted(attempts)}${reasoned(reason)}.`,
    remedy: TRY_LATER,
    readers: RAISE_TOO,
  }),
  "host-unreachable": located.error<{ reason: string | undefined; targets?: number }>("Host unreachable", {
    explain: ({ reason, targets = 1 }) => {
      const known = reason === undefined ? undefined : REASONS.find(([pattern]) => pattern.test(reason))?.[1];
      const why = known ?? "the host does not exist, is down, refuses the connection or has an invalid certificate";
      const to = targets === 1 ? "" : ` for ${count(targets)} sources, most of which were then skipped`;
      return `No response${to}: ${why}${reasoned(reason)}.`;
    },
    remedy: ({ reason }) =>
      reason === undefined
        ? "Check the host name. An extension, a firewall or the browser's own rules may also block it."
        : "Check the host name and port, and this machine's network, proxy and firewall.",
    readers: "fsspec also raises, unless only this browser is blocked.",
  }),
  "cors-missing": located.error<CorsMissing>("Blocked by CORS", {
    heading: ({ othersRead, redirects }) =>
      othersRead && redirects !== true ? "The server failed, and sends errors without CORS headers" : undefined,
    explain: ({ withCredentials, redirects = false, othersRead = false }) =>
      othersRead && !redirects
        ? "Pages may read other files of this host, but not its answer for this one: the file is missing or refused, or the server failed, and it sends errors without Access-Control-Allow-Origin."
        : redirects
          ? "The host redirects to a place that other sites' pages may not read (CORS). A browser does not say where that is."
          : `The host responds, but does not allow other sites' pages to read it (CORS).${withCredentials ? " With your credentials attached, redirects are refused too, and the server must allow their headers." : ""}`,
    remedy: ({ redirects = false, othersRead = false }) =>
      othersRead && !redirects
        ? "Ask for the file in a terminal (refscope doctor URL), which shows the status. Configure the server to send CORS headers with errors too (nginx: add_header … always)."
        : redirects
          ? "Find out in a terminal where the redirect leads. Ask that host to send Access-Control-Allow-Origin, or add a rewrite rule to a URL that pages may read."
          : "Ask the data's host to send Access-Control-Allow-Origin, read it through a mirror with a rewrite rule, or download the file and drop it here; refscope open in a terminal reads it as it is.",
    readers: BROWSERS_ONLY,
  }),
  "cors-on-success-only": warning("Errors are sent without CORS headers", {
    explain:
      "The page may not read the server's answer here, though it may read other files of this server: the file is probably missing, and the server sends Access-Control-Allow-Origin with successful answers only. Refscope takes it as missing.",
    remedy: "Send the header with errors, too (nginx: add_header … always; Apache: Header always set).",
    readers:
      "Python's readers are not affected. In a page, zarrita throws for missing chunks instead of using the fill value.",
  }),
  "redirects-too-many": error<{ limit: number }>("Too many redirects", {
    explain: ({ limit }) => `The server redirected the request more than ${counted(limit, "time")}.`,
    remedy: "The server redirects in a loop. Check the URL.",
    readers: RAISE_TOO,
  }),
  "redirect-to-private": located.error<{ host: string }>("Redirect to a private network", {
    explain: ({ host }) =>
      `The server redirects the request to ${host}, which is on this machine or a private network. Expected a public address, like this URL's own.`,
    remedy: "If you trust the dataset, allow private addresses for it.",
    action: "allow-private",
    readers: "fsspec follows the redirect and reads what is there.",
  }),
  /** Reasons of the server on this computer that gave the page. */
  "not-relayed": located.error<NotRelayed>("Not relayed", {
    explain: (facts) => NOT_RELAYED[facts.problem](facts.host),
    remedy: ({ problem, host }) =>
      problem === "ended"
        ? "Run refscope open again, and use the address that it prints."
        : `If you trust the dataset, run refscope open again with --relay ${host}.`,
    readers: "Readers are not affected: they ask the host themselves.",
  }),
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
