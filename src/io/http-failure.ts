/** What a failed request is told as. */
import type { ByteRange } from "../core/byte-source.ts";
import { RefscopeError } from "../core/errors.ts";
import { failure } from "../core/findings/failure.ts";
import type { FactsOf } from "../core/findings/finding.ts";
import { targetAt } from "../core/findings/place.ts";
import type { Finding } from "../core/finding.ts";
import { WEB_PAGE, WEB_PAGE_ADVICE, webPageWords, type WebPage } from "../core/web-page.ts";
import { rangeText } from "./range.ts";

export interface Asked {
  readonly url: string;
  readonly range: ByteRange | undefined;
  /** Attempts made so far, this one included. */
  readonly attempts: number;
  readonly withCredentials: boolean;
}

/** "Reading bytes 0–99", "Reading the whole file". */
export function doing(asked: Asked): string {
  return `Reading ${rangeText(asked.range)}`;
}

export function statusError(asked: Asked, status: number, expected = [asked.range === undefined ? 200 : 206]) {
  return failure("http-status", placeOf(asked), { status, expected, attempts: asked.attempts });
}

/** The status that an `http-status` error is about. */
export function statusOf(error: unknown): number | undefined {
  if (!(error instanceof RefscopeError) || error.code !== "http-status") return undefined;
  return (error.finding?.facts as FactsOf<"http-status"> | undefined)?.status;
}

function times(asked: Asked): string {
  return asked.attempts > 1 ? ` (${asked.attempts} attempts)` : "";
}

export function pastEndError(asked: Asked, size: number | undefined): RefscopeError {
  const end = asked.range === undefined ? 0 : asked.range.offset + asked.range.length;
  return failure("range-past-end", placeOf(asked), { end, size });
}

const placeOf = ({ url, range }: Asked) => targetAt(url, range);

export function shortError(asked: Asked, received: number, size: number | undefined): RefscopeError {
  return new RefscopeError({
    code: "short-read",
    doing: doing(asked),
    where: asked.url,
    expected: `${asked.range?.length ?? 0} bytes`,
    found: `${received} bytes${size === undefined ? "" : `; the target ends at ${size}`}`,
    advice:
      size !== undefined && size >= (asked.range?.offset ?? 0) + (asked.range?.length ?? 0)
        ? "The target is long enough: the server, or something before it, sent less than it was asked for. Try again."
        : "The target is shorter than when the reference was made, or the reference's length is wrong.",
  });
}

export function mismatchError(asked: Asked, found: string): RefscopeError {
  return new RefscopeError({
    code: "range-mismatch",
    doing: doing(asked),
    where: asked.url,
    expected: "exactly the bytes of the range",
    found,
    advice: "The server answers another range than the one asked for: its bytes cannot be used.",
  });
}

export function webPageError(asked: Asked, page: WebPage): RefscopeError {
  return new RefscopeError({
    code: WEB_PAGE,
    doing: doing(asked),
    where: asked.url,
    expected: "the target's bytes",
    found: webPageWords(page),
    advice: WEB_PAGE_ADVICE,
  });
}

/** Where the bytes are handed on all the same, since every reader would take them. */
export function webPageFinding(url: string, page: WebPage): Finding {
  const message = `In place of the target's bytes the server sent ${webPageWords(page)}. Every reader takes it for the data.`;
  return { code: WEB_PAGE, severity: "error", target: url, message, advice: WEB_PAGE_ADVICE };
}

/** The server sends the whole file, and the range lies too deep in it to read up to there. */
export function ignoredError(asked: Asked, code: "range-ignored" | "range-encoded", limit: number): RefscopeError {
  const why =
    code === "range-ignored"
      ? "status 200: the server ignores ranges and sends the whole target"
      : "a compressed answer: the server can only send the whole target";
  return new RefscopeError({
    code,
    doing: doing(asked),
    where: asked.url,
    expected: "status 206 with the bytes of the range",
    found: `${why}, and the range ends past the first ${limit} bytes, the most that is read in vain`,
    advice: "Serve the target from a host that supports range requests, and add a rewrite rule to it.",
  });
}

export function tooLargeError(asked: Asked, size: number, limit: number): RefscopeError {
  return new RefscopeError({
    code: "response-too-large",
    doing: doing(asked),
    where: asked.url,
    expected: `at most ${limit} bytes`,
    found: `${size} bytes or more`,
    advice: "Nothing so large is read at once.",
  });
}

export function memoryError(asked: Asked, cause: RangeError): RefscopeError {
  const fields = {
    code: "out-of-memory",
    doing: doing(asked),
    where: asked.url,
    expected: "room in memory for the bytes",
    found: `none (${cause.message})`,
    advice: "Close other sets and tabs, or read something smaller.",
  };
  return new RefscopeError(fields, { cause });
}

export function timeoutError(asked: Asked, milliseconds: number, received: number): RefscopeError {
  return new RefscopeError({
    code: "timeout",
    doing: doing(asked),
    where: asked.url,
    expected: `an answer, and bytes at least every ${milliseconds / 1000} seconds`,
    found: received === 0 ? "silence" : `silence after ${received} bytes`,
    advice: "The server or the connection hangs: try again later.",
  });
}

export function droppedError(
  asked: Asked,
  received: number,
  expected: number | undefined,
  cause: unknown,
): RefscopeError {
  const fields = {
    code: "connection-dropped",
    doing: doing(asked),
    where: asked.url,
    ...(expected === undefined ? {} : { expected: `${expected} bytes` }),
    found: `a connection closed after ${received} bytes${times(asked)}${reasonOf(cause)}`,
    advice: "The server or the connection breaks off: try again later.",
  };
  return new RefscopeError(fields, { cause });
}

export function unreachableError(asked: Asked, cause: unknown): RefscopeError {
  const fields = {
    code: "host-unreachable",
    doing: doing(asked),
    where: asked.url,
    expected: "an answer",
    found: `none: the host does not exist, is down, refuses the connection or has a bad certificate${reasonOf(cause)}`,
    advice: "Check the host's name; an extension, a firewall or the browser's own rules may also block it.",
  };
  return new RefscopeError(fields, { cause });
}

export function corsError(asked: Asked, cause: unknown): RefscopeError {
  const redirected = asked.withCredentials
    ? "; with your credentials attached a redirect is refused too, and the server must allow their headers"
    : "";
  const fields = {
    code: "cors-missing",
    doing: doing(asked),
    where: asked.url,
    expected: "an answer that this page may read",
    found: `the host answers, but does not allow other sites' pages to read it (CORS)${redirected}`,
    advice:
      "Ask whoever keeps the data to send Access-Control-Allow-Origin, read it through a mirror with a rewrite rule, " +
      "or drop the target file here.",
  };
  return new RefscopeError(fields, { cause });
}

/** Browsers say only "Failed to fetch"; other runtimes give a reason worth repeating. */
export function reasonOf(failure: unknown): string {
  const cause = failure instanceof Error ? failure.cause : undefined;
  const code = cause instanceof Error ? ((cause as { code?: unknown }).code ?? cause.message) : undefined;
  return typeof code === "string" && code !== "" ? ` (${code})` : "";
}
