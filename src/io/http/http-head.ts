/**
 * Whether something is at a URL, and how large, without its bytes. HEAD is what no server need be asked for beforehand
 * and its Content-Length is readable from any origin. Servers that refuse HEAD, and those that let other sites' pages
 * read nothing but GET, are asked for one byte instead.
 */
import type { CallContext } from "../../core/byte-source.ts";
import { checkUrl } from "./http.ts";
import * as http from "./http-attempt.ts";
import { failed } from "./http-diagnosis.ts";
import { statusError, type Asked } from "./http-failure.ts";
import { httpTarget, type HttpOptions, type HttpTarget } from "./http-target.ts";
import { parseContentRange } from "../range.ts";
import { negativeAnswer, type StoreAnswer } from "../store-answer.ts";

const PRESENT_OR_ABSENT = [200, 404];
const EITHER = { expected: PRESENT_OR_ABSENT };

/** @throws RefscopeError `http-status` for what is neither yes nor no (400, 3xx, 5xx …), `host-unreachable` and so on. */
export type AskHead = (url: string, context: CallContext) => Promise<StoreAnswer>;

export function head(url: string, options: HttpOptions, context: CallContext): Promise<StoreAnswer> {
  return headRequester(options)(url, context);
}

/** Remembers how the server takes HEAD: use one for the URLs of one store. */
export function headRequester(options: HttpOptions): AskHead {
  const support: HeadSupport = { takesHead: undefined, refusals: 0 };
  return async (url, context) => {
    checkUrl(url);
    return ask(httpTarget(url, options), support, context);
  };
}

interface HeadSupport {
  takesHead: boolean | undefined;
  /** 401 and 403 that a GET confirmed. */
  refusals: number;
}

/** Confirmed this many times, a refusal is believed. */
const ENOUGH_REFUSALS = 3;

async function ask(target: HttpTarget, support: HeadSupport, context: CallContext): Promise<StoreAnswer> {
  if (support.takesHead === false) return askByte(target, context);
  const head = await askHead(target, support.takesHead === true, context);
  if (head !== "unanswered" && head.kind === "present") support.takesHead = true;
  if (head !== "unanswered" && head.kind !== "denied") return head;
  if (head !== "unanswered" && support.takesHead === true) return head;
  // Some servers, and all whose URLs are signed for GET alone, answer 403 to HEAD for what a GET may read.
  const answer = await askByte(target, context);
  if (head === "unanswered" || answer.kind !== "denied") support.takesHead = false;
  else if ((support.refusals += 1) >= ENOUGH_REFUSALS) support.takesHead = true;
  return answer;
}

/** "unanswered" where HEAD is not allowed, or brought no answer and has never yet brought one. */
async function askHead(target: HttpTarget, trusted: boolean, context: CallContext) {
  const heading: HttpTarget = { ...target, fetch: (url, init) => target.fetch(url, { ...init, method: "HEAD" }) };
  const { outcome, attempts } = await http.withRetries<StoreAnswer | "unanswered">(
    heading,
    context,
    async (attempt) => {
      const asked = http.askedOf(target, undefined, attempt);
      const outcome = await http.exchange(heading, asked, undefined, context, async (response) =>
        done(headAnswer(asked, response)),
      );
      return outcome.kind === "broken" && !trusted ? done("unanswered") : outcome;
    },
  );
  if (outcome.kind === "done") return outcome.value;
  throw await failed(target, http.askedOf(target, undefined, attempts), outcome, context, EITHER);
}

function done<T>(value: T): http.Outcome<T> {
  return { kind: "done", value };
}

function headAnswer(asked: Asked, response: Response): StoreAnswer | "unanswered" {
  if (response.status === 405 || response.status === 501) return "unanswered";
  if (!response.ok) return refusal(asked, response.status);
  return present(http.isEncoded(response) ? undefined : http.contentLength(response));
}

function present(size: number | undefined): StoreAnswer {
  return size === undefined ? { kind: "present" } : { kind: "present", size };
}

function refusal(asked: Asked, status: number): StoreAnswer {
  const negative = negativeAnswer(status);
  if (negative === undefined) throw statusError(asked, status, PRESENT_OR_ABSENT);
  return negative;
}

/** By the first byte; the body, should it be longer, is left unread. */
async function askByte(target: HttpTarget, context: CallContext): Promise<StoreAnswer> {
  const range = { offset: 0, length: 1 };
  const { outcome, attempts } = await http.withRetries<StoreAnswer>(target, context, (attempt) => {
    const asked = http.askedOf(target, range, attempt);
    return http.exchange(target, asked, range, context, async (response) => done(byteAnswer(asked, response)));
  });
  if (outcome.kind === "done") return outcome.value;
  if (outcome.kind !== "broken")
    throw await failed(target, http.askedOf(target, range, attempts), outcome, context, EITHER);
  return withoutRange(target, attempts + 1, context);
}

/** Browsers refuse a compressed answer to a range and do not say why, so it is tried once without. */
async function withoutRange(target: HttpTarget, attempts: number, context: CallContext): Promise<StoreAnswer> {
  const asked = http.askedOf(target, undefined, attempts);
  const outcome = await http.exchange(target, asked, undefined, context, async (response) =>
    done(byteAnswer(asked, response)),
  );
  if (outcome.kind === "done") return outcome.value;
  throw await failed(target, asked, outcome, context, EITHER);
}

function byteAnswer(asked: Asked, response: Response): StoreAnswer {
  const size = parseContentRange(response.headers.get("Content-Range"))?.size;
  // There is no first byte: the object is empty.
  if (response.status === 416) return present(size ?? 0);
  if (!response.ok) return refusal(asked, response.status);
  if (http.isEncoded(response)) return present(undefined);
  return present(response.status === 206 ? size : http.contentLength(response));
}
