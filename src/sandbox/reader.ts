/**
 * Runs a document as a JavaScript program does that follows reference-spec-reader's README, in a worker with nothing
 * else in it. It executes any code in the document's templates: from the document on, nothing here is to be trusted.
 */
import nunjucks from "nunjucks";
import { parse } from "reference-spec-reader";
import { answerBytes, errorBytes } from "./answer.ts";
import { ANSWER_CAP, READER_NO_EVAL, READER_READY, READER_TOO_LARGE } from "./protocol.ts";
import { stripScope } from "./strip.ts";

interface WorkerScope {
  postMessage(message: unknown, transfer?: Transferable[]): void;
  addEventListener(type: "message", listener: (event: MessageEvent<ArrayBuffer>) => void, options: object): void;
}

const scope = globalThis as unknown as WorkerScope;
const post = scope.postMessage.bind(scope);
const decoder = new TextDecoder();

/** Bytes, or `undefined` where they would be too many. */
function read(document: ArrayBuffer): Uint8Array<ArrayBuffer> | undefined {
  try {
    return answerBytes(parse(JSON.parse(decoder.decode(document)) as never, nunjucks.renderString), ANSWER_CAP);
  } catch (error) {
    return errorBytes(error);
  }
}

/** True if the policy lets nunjucks make its code. */
function rendersAtAll(): boolean {
  try {
    return nunjucks.renderString("{{ 1 + 1 }}", {}) === "2";
  } catch {
    return false;
  }
}

scope.addEventListener(
  "message",
  ({ data }) => {
    const bytes = read(data);
    if (bytes === undefined) post(READER_TOO_LARGE);
    else post(bytes.buffer, [bytes.buffer]);
  },
  { once: true },
);
const ready = rendersAtAll();
stripScope(globalThis);
post(ready ? READER_READY : READER_NO_EVAL);
