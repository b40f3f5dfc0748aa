/** What a request gave, as short facts. */
import type { RequestReport } from "../../core/byte-source.ts";
import { countOf, formatBytes, formatCount, formatDuration, formatExactBytes } from "../../widgets/number-format.ts";

export interface Fact {
  readonly id: string;
  readonly term: string;
  readonly text: string;
  readonly tone: "plain" | "ok" | "warn" | "bad";
  readonly title?: string;
}

export function requestFacts(request: RequestReport): readonly Fact[] {
  const { attempts, milliseconds, targetSize, lastModified, etag, redirectedTo } = request;
  const facts: Fact[] = [askedFact(request), { term: "Answer", ...statusFact(request) }, bytesFact(request)];
  const title = `${milliseconds} milliseconds`;
  facts.push({ id: "time", term: "Time", text: formatDuration(milliseconds), tone: "plain", title });
  if (redirectedTo !== undefined) facts.push(redirectFact(redirectedTo));
  if (attempts > 1) facts.push({ id: "attempts", term: "Attempts", text: formatCount(attempts), tone: "warn" });
  if (targetSize !== undefined) facts.push(sizeFact(targetSize));
  if (lastModified !== undefined) facts.push(modifiedFact(lastModified));
  if (etag !== undefined) facts.push({ id: "etag", term: "ETag", text: etag, tone: "plain" });
  return facts;
}

/** One request may serve neighbouring chunks as well: its range is then longer than the reference's. */
function askedFact({ range, readsServed = 1 }: RequestReport): Fact {
  const last = range === undefined ? 0 : range.offset + range.length - 1;
  const text = range === undefined ? "the whole file" : `bytes ${formatCount(range.offset)} to ${formatCount(last)}`;
  const others = readsServed === 1 ? "" : `, for ${countOf(readsServed, "read")} at once`;
  return { id: "asked", term: "Asked for", text: `${text}${others}`, tone: "plain" };
}

function sizeFact(size: number): Fact {
  return { id: "size", term: "File", text: formatBytes(size), tone: "plain", title: formatExactBytes(size) };
}

function statusFact({ status, rangeHonoured, url, range }: RequestReport): Omit<Fact, "term"> {
  if (status === undefined) {
    if (url.startsWith("data:")) return { id: "status", text: "✓ in the URL itself", tone: "ok" };
    // A file that was inflated out of an archive, and is kept.
    if (/ in https?:/.test(url)) return { id: "status", text: "✓ archive that is here", tone: "ok" };
    const local = !/^https?:/i.test(url);
    return local
      ? { id: "status", text: "✓ local file", tone: "ok" }
      : { id: "status", text: "✕ no answer", tone: "bad", title: "The server gave no answer that the page may read." };
  }
  if (status >= 400) return { id: "status", text: `✕ ${status}`, tone: "bad", title: `HTTP status ${status}` };
  if (rangeHonoured === true) return { id: "status", text: `✓ ${status}, range honoured`, tone: "ok" };
  if (rangeHonoured === false) {
    const title = "A range of bytes was asked for; the server did not answer with 206 and just that range.";
    return { id: "status", text: `✕ ${status}, range not honoured`, tone: "bad", title };
  }
  return { id: "status", text: `✓ ${status}${range === undefined ? ", whole file" : ""}`, tone: "ok" };
}

/** Another host answered than the reference names. */
function redirectFact(url: string): Fact {
  const title = `The server redirected to ${url}, and the bytes came from there.`;
  return { id: "redirect", term: "Answered by", text: `${new URL(url).host}, after a redirect`, tone: "warn", title };
}

function bytesFact({ bytesReceived, bytesExpected, underWay }: RequestReport): Fact {
  const received = formatCount(bytesReceived);
  if (bytesExpected === undefined) return { id: "bytes", term: "Received", text: `${received} bytes`, tone: "plain" };
  const text = `${received} of ${formatCount(bytesExpected)} bytes`;
  if (underWay === true) {
    const title = "This chunk was here while the rest of the request was still arriving.";
    return { id: "bytes", term: "Received", text: `${text}, the rest under way`, tone: "plain", title };
  }
  return { id: "bytes", term: "Received", text, tone: bytesReceived === bytesExpected ? "plain" : "bad" };
}

/** The day is enough to read; the header as sent is in the title. */
function modifiedFact(lastModified: string): Fact {
  const time = Date.parse(lastModified);
  const day = Number.isNaN(time) ? lastModified : new Date(time).toISOString().slice(0, 10);
  return { id: "modified", term: "Modified", text: day, tone: "plain", title: `Last-Modified: ${lastModified}` };
}
