/** Maps failed requests to findings. A place has a range if the range, and not the target, is at fault. */
import type { ByteRange } from "#core/byte-source.ts";
import { factsOfFailure, failure, finding, targetAt } from "#core/findings/finding.ts";
import type { FactsOf, Finding, RefscopeError } from "#core/findings/finding.ts";
import type { IdleSignal } from "../abort.ts";
import type { HttpTarget } from "./http-target.ts";
import { refusalIn } from "#core/check/target-content.ts";
import { readBody } from "./http-body.ts";
import type { WebPage } from "#core/check/web-page.ts";

export interface Asked {
  readonly url: string;
  readonly range: ByteRange | undefined;
  /** Attempts made so far, this one included. */
  readonly attempts: number;
  readonly withCredentials: boolean;
}

const targetOf = ({ url }: Asked) => targetAt(url);
const rangeOf = ({ url, range }: Asked) => targetAt(url, range);

export function statusError(asked: Asked, status: number, expected = expectedOf(asked), told: Told = {}) {
  return failure("http-status", targetOf(asked), { status, expected, attempts: asked.attempts, ...told });
}

const expectedOf = ({ range }: Asked): number[] => [range === undefined ? 200 : 206];

type Told = Pick<FactsOf<"http-status">, "said" | "region">;

/** Most bytes of a refusal that are read for its words. */
const REFUSAL = 4096;

/** The status with what the server says of it: read only where that may be words for programs. */
export async function refusedError(asked: Asked, response: Response, idle: IdleSignal): Promise<RefscopeError> {
  return statusError(asked, response.status, expectedOf(asked), await toldBy(response, idle));
}

async function toldBy(response: Response, idle: IdleSignal): Promise<Told> {
  const isForPrograms = /\b(?:xml|json)\b/i.test(response.headers.get("Content-Type") ?? "");
  const wish = { skip: 0, take: REFUSAL, stopAt: REFUSAL };
  return toldIn(response.headers, isForPrograms ? (await readBody(response, idle, wish)).bytes : new Uint8Array(0));
}

export function toldIn(headers: Headers, body: Uint8Array): Told {
  const found = refusalIn(body);
  const code = found?.code ?? headers.get("x-ms-error-code");
  const region = headers.get("x-amz-bucket-region") ?? found?.region;
  return {
    ...(code === null ? {} : { said: { code, message: found?.message ?? "" } }),
    ...(region === undefined ? {} : { region }),
  };
}

/** The status that an `http-status` error is about. */
export const statusOf = (error: unknown): number | undefined => factsOfFailure(error, "http-status")?.status;

export function pastEndError(asked: Asked, size: number | undefined): RefscopeError {
  const end = asked.range === undefined ? 0 : asked.range.offset + asked.range.length;
  return failure("range-past-end", rangeOf(asked), { end, size });
}

export function shortError(asked: Asked, received: number, size: number | undefined): RefscopeError {
  const { offset, length } = asked.range ?? { offset: 0, length: 0 };
  return failure("short-read", rangeOf(asked), { received, length, end: offset + length, size });
}

export const mismatchError = (asked: Asked, facts: FactsOf<"range-mismatch">): RefscopeError =>
  failure("range-mismatch", rangeOf(asked), facts);

export const webPageError = (url: string, { words }: WebPage): RefscopeError =>
  failure("web-page", targetAt(url), { words });

/** Finding for bytes that are handed on although they are a web page, since every reader would take them. */
export const webPageFinding = (url: string, { words }: WebPage): Finding =>
  finding("web-page", targetAt(url), { words });

/** The server sends the whole file, and the range lies too deep in it to read up to there. */
export function ignoredError(asked: Asked, code: "range-ignored" | "range-encoded", limit: number): RefscopeError {
  return failure(code, rangeOf(asked), { outcome: "too-deep", limit });
}

export const tooLargeError = (asked: Asked, size: number, limit: number): RefscopeError =>
  failure("response-too-large", rangeOf(asked), { size, limit });

export const memoryError = (asked: Asked, cause: RangeError): RefscopeError =>
  failure("out-of-memory", targetOf(asked), { reason: cause.message }, { cause });

export function timeoutError(
  asked: Asked,
  { idleTimeout: idle, pace }: Pick<HttpTarget, "idleTimeout" | "pace">,
  { slow }: Pick<IdleSignal, "slow">,
  received: number,
): RefscopeError {
  const arrived = slow();
  return failure("timeout", targetOf(asked), {
    idle,
    received,
    ...(arrived === undefined ? {} : { slow: { ...pace, arrived } }),
  });
}

export function droppedError(asked: Asked, received: number, expected: number | undefined, cause: unknown) {
  const facts = { received, expected, attempts: asked.attempts, reason: reasonOf(cause) };
  return failure("connection-dropped", targetOf(asked), facts, { cause });
}

export const unreachableError = (asked: Asked, cause: unknown): RefscopeError =>
  failure("host-unreachable", targetOf(asked), { reason: reasonOf(cause) }, { cause });

/** `redirects`: the host itself allows it, and leads to where it is not allowed. */
export const corsError = (asked: Asked, redirects: boolean, cause: unknown): RefscopeError =>
  failure(
    "cors-missing",
    targetOf(asked),
    { withCredentials: asked.withCredentials, ...(redirects ? { redirects } : {}) },
    { cause },
  );

/** Browsers say only "Failed to fetch"; other runtimes give a reason worth repeating. */
export function reasonOf(failed: unknown): string | undefined {
  const cause = failed instanceof Error ? failed.cause : undefined;
  const code = cause instanceof Error ? ((cause as { code?: unknown }).code ?? cause.message) : undefined;
  return typeof code === "string" && code !== "" ? code : undefined;
}
