/** One byte range of a URL, and nothing taken for it that is not it. */
import type { ByteRange, CallContext, ReadBytes, RequestReport } from "#core/byte-source.ts";
import { finding, type Finding, targetAt } from "#core/findings/finding.ts";
import { WEB_PAGE_HEAD, webPageIn } from "#core/check/web-page.ts";
import type { IdleSignal } from "../abort.ts";
import * as http from "./http-attempt.ts";
import { readBody } from "./http-body.ts";
import { diagnose, failed, isAlive, sizeByHead, type Broken } from "./http-diagnosis.ts";
import * as failure from "./http-failure.ts";
import type { HttpTarget } from "./http-target.ts";
import { parseContentRange } from "../range.ts";

/** Bytes before they are judged: short answers are distinguished from whole ones at the end, outside the retries. */
interface Got {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Bytes of the range, with those that were taken. */
  readonly kept: number;
  readonly received: number;
  readonly status: number;
  readonly honoured: boolean;
  readonly state: http.TargetState;
  readonly findings: readonly Finding[];
}

interface Call {
  readonly target: HttpTarget;
  readonly range: ByteRange;
  readonly context: CallContext;
  readonly taker?: RangeTaker | undefined;
  readonly started: number;
}

/** Takes the bytes of a range as they arrive, where they are known to be right before the end. */
export interface RangeTaker {
  /** Another answer begins: gives what takes its bytes. `report` is that of the request so far. */
  begin(report: (received: number) => RequestReport): (piece: Uint8Array<ArrayBuffer>) => void;
}

type WholeReason = "range-ignored" | "range-encoded";

/** `range.length` is at least 1. What was taken is not given again: then there are no bytes. */
export async function readRange(
  target: HttpTarget,
  range: ByteRange,
  context: CallContext,
  taker?: RangeTaker,
): Promise<ReadBytes> {
  const call = { target, range, context, taker, started: performance.now() };
  if (range.length > target.maximumBytes) {
    throw failure.tooLargeError(http.askedOf(target, range, 0), range.length, target.maximumBytes);
  }
  if (target.learnt.encodesRanges) return withoutRange(call, 0);
  const { outcome, attempts } = await http.withRetries(target, context, (attempt) => askOnce(call, attempt));
  if (outcome.kind === "done") return judged(call, outcome.value, attempts);
  const asked = http.askedOf(target, range, attempts);
  if (outcome.kind === "busy") throw failure.statusError(asked, outcome.status);
  return outcome.kind === "encoded" ? withoutRange(call, attempts) : explained(call, outcome, attempts);
}

function askOnce(call: Call, attempt: number): Promise<http.Outcome<Got>> {
  const { target, range, context } = call;
  const asked = http.askedOf(target, range, attempt);
  return http.exchange(target, asked, range, context, async (response, idle) => {
    if (response.status === 416) throw await outsideError(call, asked, response);
    if (http.isEncoded(response) && response.ok) return { kind: "encoded" };
    if (response.status === 206) return partial(call, asked, response, idle);
    if (response.status === 200) return cut(call, asked, response, idle, "range-ignored");
    throw await failure.refusedError(asked, response, idle);
  });
}

async function outsideError(call: Call, asked: failure.Asked, response: Response): Promise<Error> {
  const stated = parseContentRange(response.headers.get("Content-Range"))?.size;
  const size = stated ?? (await sizeByHead(call.target, call.context));
  // A size that would hold the range contradicts the 416: better not to name it.
  const end = call.range.offset + call.range.length;
  return failure.pastEndError(asked, size !== undefined && size < end ? size : undefined);
}

async function partial(
  call: Call,
  asked: failure.Asked,
  response: Response,
  idle: IdleSignal,
): Promise<http.Outcome<Got>> {
  const { target, range, context } = call;
  const sent = parseContentRange(response.headers.get("Content-Range"));
  const end = range.offset + range.length;
  if (sent?.first !== undefined && (sent.first !== range.offset || (sent.last ?? 0) >= end)) {
    throw failure.mismatchError(asked, { problem: "other-range", first: sent.first, last: sent.last });
  }
  const declared = http.contentLength(response);
  const isLong = declared !== undefined && declared > range.length;
  // Another origin may hide that it compresses, and then declares the length of what it sends.
  if (isLong && !mayBeEncoded(response)) throw tooMany(asked, range, declared);
  if (sent?.size !== undefined) target.learnt.size = sent.size;
  const { status } = response;
  const answer = { status, honoured: true, state: http.targetStateOf(target, response) };
  const hand = isCertain(call, response, declared)
    ? call.taker?.begin((received) => reportOf(call, { ...answer, received }, asked.attempts))
    : undefined;
  const progress = progressOf(call, range.length);
  const wish = { skip: 0, take: range.length, stopAt: range.length + 1, progress, ...(hand && { hand }) };
  const body = await readBody(response, idle, wish);
  if (body.failure !== undefined) {
    const broken = http.broken(target, asked, context, idle, { status, received: body.received, cause: body.failure });
    if (isLong) throw tooMany(asked, range, declared);
    return broken;
  }
  if (body.received > range.length) throw tooMany(asked, range, undefined);
  const { bytes, kept, received } = body;
  return { kind: "done", value: { ...answer, bytes, kept, received, findings: [] } };
}

/**
 * True if bytes belong to the range as they come. Only a declared length tells that there will be enough of them and
 * not too many. Another origin may hide its Content-Encoding: a range that came whole then vouches for later ones.
 */
function isCertain({ target, range }: Call, response: Response, declared: number | undefined): boolean {
  // How a target begins says whether it is a web page, and all readers are informed.
  if (range.offset === 0 || declared !== range.length) return false;
  return response.type !== "cors" || response.headers.has("Content-Encoding") || target.learnt.givesRanges;
}

const mayBeEncoded = ({ type, headers }: Response): boolean => type === "cors" && !headers.has("Content-Encoding");

const tooMany = (asked: failure.Asked, { length }: ByteRange, received: number | undefined) =>
  failure.mismatchError(asked, { problem: "too-many-bytes", length, received });

/** The range out of a whole target, where it does not lie too deep in it. */
async function cut(
  call: Call,
  asked: failure.Asked,
  response: Response,
  idle: IdleSignal,
  reason: WholeReason,
): Promise<http.Outcome<Got>> {
  const { target, range, context } = call;
  await refuseWebPage(asked, response, idle);
  const end = range.offset + range.length;
  const declared = reason === "range-ignored" ? http.contentLength(response) : undefined;
  if (declared !== undefined) target.learnt.size = declared;
  if (declared !== undefined && declared <= range.offset) throw failure.pastEndError(asked, declared);
  if (end > target.sliceLimit && (declared ?? end) > target.sliceLimit) {
    throw failure.ignoredError(asked, reason, target.sliceLimit);
  }
  const wish = { skip: range.offset, take: range.length, stopAt: end, progress: progressOf(call, end) };
  const body = await readBody(response, idle, wish);
  const { status } = response;
  if (body.failure !== undefined) {
    return http.broken(target, asked, context, idle, { status, received: body.received, cause: body.failure });
  }
  if (body.received < end) target.learnt.size = body.received;
  if (body.received <= range.offset) throw failure.pastEndError(asked, body.received);
  const findings = [finding(reason, targetAt(target.url), { outcome: "cut", received: body.received })];
  const { bytes, kept, received } = body;
  const got = { bytes, kept, received, status, honoured: false, findings };
  return { kind: "done", value: { ...got, state: http.targetStateOf(target, response) } };
}

/** A page instead of the target has other bytes at the range, or none there: neither says what is wrong. */
async function refuseWebPage(asked: failure.Asked, response: Response, idle: IdleSignal): Promise<void> {
  if (!/^\s*text\/html\b/i.test(response.headers.get("Content-Type") ?? "")) return;
  const head = await readBody(response.clone(), idle, { skip: 0, take: WEB_PAGE_HEAD, stopAt: WEB_PAGE_HEAD });
  const page = webPageIn(head.bytes);
  if (page !== undefined) throw failure.webPageError(asked.url, page);
}

/** Without a Range header, and only once: for servers that compress what they answer to one. */
async function withoutRange(call: Call, attemptsBefore: number, alive?: boolean): Promise<ReadBytes> {
  const { target, range, context } = call;
  const attempts = attemptsBefore + 1;
  const asked = http.askedOf(target, range, attempts);
  const outcome = await http.exchange<Got>(target, asked, undefined, context, async (response, idle) => {
    if (response.status !== 200) throw await failure.refusedError(asked, response, idle);
    target.learnt.encodesRanges = true;
    return cut(call, asked, response, idle, "range-encoded");
  });
  if (outcome.kind === "done") return judged(call, outcome.value, attempts);
  throw await failed(target, asked, outcome, context, { alive });
}

/**
 * A failure without a byte may be an encoded answer, which browsers refuse: the host, and then the target, is asked.
 */
async function explained(call: Call, how: Broken, attempts: number): Promise<ReadBytes> {
  const { target, context, range } = call;
  const asked = http.askedOf(target, range, attempts);
  if (how.received > 0) throw await diagnose(target, asked, context, how);
  const alive = await isAlive(target, context, how.cause);
  if (!alive || failure.reasonOf(how.cause) !== undefined) throw await diagnose(target, asked, context, how, alive);
  return withoutRange(call, attempts, alive);
}

async function judged(call: Call, got: Got, attempts: number): Promise<ReadBytes> {
  const { target, range, context } = call;
  if (got.kept < range.length) {
    const asked = http.askedOf(target, range, attempts);
    throw failure.shortError(asked, got.kept, await sizeByHead(target, context));
  }
  if (got.honoured) target.learnt.givesRanges = true;
  const request = reportOf(call, got, attempts);
  const page = range.offset === 0 ? webPageIn(got.bytes) : undefined;
  const findings = page === undefined ? got.findings : [failure.webPageFinding(target.url, page), ...got.findings];
  return { bytes: got.bytes, request, findings };
}

function reportOf(
  { target, range, started }: Call,
  { status, honoured, received, state }: Pick<Got, "status" | "honoured" | "received" | "state">,
  attempts: number,
): RequestReport {
  const targetSize = target.learnt.size;
  return {
    url: target.url,
    range,
    attempts,
    status,
    rangeHonoured: honoured,
    bytesExpected: range.length,
    bytesReceived: received,
    ...(targetSize === undefined ? {} : { targetSize }),
    ...state,
    milliseconds: performance.now() - started,
  };
}

/** Small reads are over before a bar could be drawn. */
function progressOf(call: Call, total: number): (received: number) => void {
  if (total < 1024 ** 2) return () => undefined;
  return (done) => call.context.report({ label: "Reading bytes", done: Math.min(done, total), total, unit: "bytes" });
}
