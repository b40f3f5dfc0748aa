/** What a request gave, as short facts. */
import type { RequestReport } from "../../core/byte-source.ts";
import { formatBytes, formatCount, formatDuration, formatExactBytes } from "../../widgets/number-format.ts";

export interface Fact {
  readonly id: string;
  readonly text: string;
  readonly tone: "plain" | "ok" | "warn" | "bad";
  readonly title?: string;
}

export function requestFacts(request: RequestReport): readonly Fact[] {
  const { attempts, milliseconds, targetSize, lastModified, redirectedTo } = request;
  const facts: Fact[] = [statusFact(request), bytesFact(request)];
  facts.push({ id: "time", text: formatDuration(milliseconds), tone: "plain", title: `${milliseconds} milliseconds` });
  if (redirectedTo !== undefined) facts.push(redirectFact(redirectedTo));
  if (attempts > 1) facts.push({ id: "attempts", text: `${attempts} attempts`, tone: "warn" });
  if (targetSize !== undefined) {
    const title = formatExactBytes(targetSize);
    facts.push({ id: "size", text: `file ${formatBytes(targetSize)}`, tone: "plain", title });
  }
  if (lastModified !== undefined) facts.push(modifiedFact(lastModified));
  return facts;
}

function statusFact({ status, rangeHonoured, url, range }: RequestReport): Fact {
  if (status === undefined) {
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
  return { id: "redirect", text: `redirected to ${new URL(url).host}`, tone: "warn", title };
}

function bytesFact({ bytesReceived, bytesExpected, underWay }: RequestReport): Fact {
  const received = formatCount(bytesReceived);
  if (bytesExpected === undefined) return { id: "bytes", text: `${received} bytes`, tone: "plain" };
  const text = `${received} of ${formatCount(bytesExpected)} bytes`;
  if (underWay === true) {
    const title = "This chunk was here while the rest of the request was still arriving.";
    return { id: "bytes", text: `${text}, the rest under way`, tone: "plain", title };
  }
  return { id: "bytes", text, tone: bytesReceived === bytesExpected ? "plain" : "bad" };
}

/** The day is enough to read; the header as sent is in the title. */
function modifiedFact(lastModified: string): Fact {
  const time = Date.parse(lastModified);
  const day = Number.isNaN(time) ? lastModified : new Date(time).toISOString().slice(0, 10);
  return { id: "modified", text: `modified ${day}`, tone: "plain", title: `Last-Modified: ${lastModified}` };
}
