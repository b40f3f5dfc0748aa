/** All bytes of a URL, held in memory: for whole-file references. */
import type { CallContext, ReadBytes } from "../../core/byte-source.ts";
import { webPageIn } from "../../core/check/web-page.ts";
import * as http from "./http-attempt.ts";
import { readBody } from "./http-body.ts";
import { failed } from "./http-diagnosis.ts";
import * as failure from "./http-failure.ts";
import type { HttpTarget } from "./http-target.ts";

export async function readWhole(target: HttpTarget, context: CallContext): Promise<ReadBytes> {
  const started = performance.now();
  const { outcome, attempts } = await http.withRetries(target, context, (attempt) => {
    const asked = http.askedOf(target, undefined, attempt);
    return http.exchange<Pick<ReadBytes, "bytes"> & { readonly state: http.TargetState }>(
      target,
      asked,
      undefined,
      context,
      async (response, idle) => {
        const { status } = response;
        if (status !== 200) throw failure.statusError(asked, status);
        const declared = http.contentLength(response);
        const limit = Math.min(target.maximumBytes, context.most ?? Infinity);
        if (declared !== undefined && declared > limit) throw failure.tooLargeError(asked, declared, limit);
        const total = http.isEncoded(response) || declared === undefined ? {} : { total: declared };
        const progress = (done: number): void =>
          context.report({ label: "Reading bytes", done, ...total, unit: "bytes" });
        const body = await readBody(response, idle, { skip: 0, take: limit, stopAt: limit + 1, progress });
        if (body.failure !== undefined) {
          return http.broken(target, asked, context, idle, { status, received: body.received, cause: body.failure });
        }
        if (body.received > limit) throw failure.tooLargeError(asked, body.received, limit);
        return { kind: "done", value: { bytes: body.bytes, state: http.targetStateOf(target, response) } } as const;
      },
    );
  });
  if (outcome.kind !== "done") throw await failed(target, http.askedOf(target, undefined, attempts), outcome, context);
  const { bytes, state } = outcome.value;
  target.learnt.size = bytes.byteLength;
  const request = {
    url: target.url,
    attempts,
    status: 200,
    bytesReceived: bytes.byteLength,
    targetSize: bytes.byteLength,
    ...state,
    milliseconds: performance.now() - started,
  };
  const page = webPageIn(bytes);
  return { bytes, request, findings: page === undefined ? [] : [failure.webPageFinding(target.url, page)] };
}
