/** How reading a chunk went, in one line. */
import type { Explained } from "../../core/findings/explained.ts";
import type { Reading } from "../../core/reading.ts";
import { formatBytes } from "../../widgets/number-format.ts";

export interface StatusWords {
  /** What comes first: what answered, or the step that failed. */
  readonly lead: string;
  readonly rest: readonly string[];
}

/** Of a chunk that has a reference. `explained`: the failure, if there is one and the catalogue is here. */
export function statusWords(reading: Reading, explained: Explained | undefined): StatusWords {
  return reading.outcome === "failed" ? failedWords(reading, explained) : readWords(reading);
}

function readWords(reading: Reading): StatusWords {
  const { stages } = reading;
  const [stored, ...codecs] = stages.map(({ id, bytesOut }) => ({ id, bytes: formatBytes(bytesOut ?? 0) }));
  const decoded = codecs.at(-1)?.bytes;
  const sizes = decoded === undefined || decoded === stored?.bytes ? stored?.bytes : `${stored?.bytes} → ${decoded}`;
  const names = codecs.length === 0 ? "no codec" : codecs.map(({ id }) => id).join(", ");
  return { lead: answerWords(reading), rest: [...(sizes === undefined ? [] : [sizes]), names] };
}

function failedWords(reading: Reading, explained: Explained | undefined): StatusWords {
  const { stages, request, state, error } = reading;
  const why = expectedWords(error) ?? explained?.title;
  const said = why === undefined ? [] : [why];
  const [stored] = stages;
  if (stored === undefined) {
    const status = request?.status ?? error?.facts["status"];
    const lead = state === "bad" ? "reference" : typeof status === "number" ? String(status) : "request";
    return { lead, rest: said };
  }
  const failed = stages.find((stage) => stage.error !== undefined);
  const came = [answerWords(reading), formatBytes(stored.bytesOut ?? stored.bytesIn)];
  return { lead: failed?.id ?? "decode", rest: [...said, ...came] };
}

/** `expected a zlib header`: shorter than any title, and known only where decoding failed. */
function expectedWords(error: Reading["error"]): string | undefined {
  const expected = error?.code === "decode-failed" ? error.facts["expected"] : undefined;
  return typeof expected === "string" ? `expected ${expected}` : undefined;
}

/** `206`, or what gave the bytes without a request. */
function answerWords({ state, request, resolution }: Reading): string {
  if (request?.status !== undefined) return String(request.status);
  if (resolution?.kind === "data") return "in the URL";
  if (resolution?.kind === "member") return "zip archive";
  if (state === "inline") return "inline";
  return request === undefined ? "read" : "local file";
}
