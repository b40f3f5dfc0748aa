/** Holds answers to one version of a target: bytes of several do not belong together. */
import { failure, targetAt } from "#core/findings/finding.ts";
import { parseContentRange } from "../range.ts";

interface Version {
  readonly etag: string | undefined;
  readonly modified: string | undefined;
  readonly size: number | undefined;
}

/** First answer of each target, and of each place that a redirect led to. */
export type Versions = Map<string, Version>;

const MAX_VERSIONS = 100_000;
const MAX_LETTERS = 100;

interface Target {
  readonly url: string;
  readonly versions?: Versions | undefined;
}

/** `length`: what the answer declares. @throws RefscopeError `source-changed` */
export function checkVersion({ url, versions }: Target, response: Response, length: number | undefined): void {
  if (versions === undefined || !/^20[06]$/.test(String(response.status))) return;
  const place = `${url} ${response.url.replace(/[?#].*$/s, "")}`;
  const [now, first] = [versionOf(response, length), versions.get(place)];
  if (first === undefined) {
    if (versions.size < MAX_VERSIONS) versions.set(place, now);
    return;
  }
  for (const what of ["size", "etag", "modified"] as const) {
    const [before, after] = [first[what], now[what]];
    if (before === undefined || after === undefined || before === after) continue;
    const [was, is] = [before, after].map((one) => String(one).slice(0, MAX_LETTERS)) as [string, string];
    throw failure("source-changed", targetAt(url), { what, was, is });
  }
}

function versionOf(response: Response, length: number | undefined): Version {
  const { headers, status, type } = response;
  const etag = headers.get("ETag");
  // Another origin may hide that it compresses.
  const whole = status === 200 && type !== "cors" ? length : undefined;
  return {
    etag: etag === null || etag.startsWith("W/") ? undefined : etag.replace(/-(?:gzip|br|zstd|deflate)(?="?$)/, ""),
    modified: headers.get("Last-Modified") ?? undefined,
    size: parseContentRange(headers.get("Content-Range"))?.size ?? whole,
  };
}
