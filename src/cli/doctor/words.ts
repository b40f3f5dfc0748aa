/** Words for an examination, a line a step. */
import { count, counted } from "#core/words.ts";
import { connectionReason } from "#core/findings/catalogue/network.ts";

import type { Hop } from "#io/http/http-trace.ts";
import type { Examination } from "./examine.ts";
import { letsIn } from "./findings.ts";

/** `[step, what was seen]`. */
export type Line = readonly [step: string, seen: string];

export function examinationLines(of: Examination): readonly Line[] {
  return [
    ...(of.url === of.given ? [] : [["Address", of.url] as const]),
    ...connectionLines(of),
    ...redirectLines(of),
    ...answerLines(of),
    ...corsLines(of),
    ...(of.region === undefined ? [] : [["Region", `The bucket is in ${of.region}.`] as const]),
  ];
}

function connectionLines({ connection, url }: Examination): readonly Line[] {
  const { addresses, failed, host, port, certificate } = connection;
  const why = (step: string) => (failed?.step === step ? connectionReason(failed.reason) : undefined);
  const [dns, tcp, tls] = [why("dns"), why("connect"), why("tls")];
  const lines: Line[] = [["DNS", dns ?? nameLine(host, addresses)]];
  if (dns !== undefined) return lines;
  lines.push(["Connection", tcp ?? `Port ${port} answers.`]);
  if (tcp !== undefined || !url.startsWith("https:")) return lines;
  const issued =
    certificate === undefined
      ? ""
      : `For ${certificate.subject}, by ${certificate.issuer}, until ${certificate.until}.`;
  lines.push(["Certificate", [tls, issued].filter((part) => part !== undefined && part !== "").join(" ")]);
  return lines;
}

const nameLine = (host: string, addresses: readonly string[]): string =>
  addresses[0] === host ? "Numeric IP address." : `${host} is ${addresses.slice(0, 3).join(", ")}.`;

function redirectLines({ trace, origin }: Examination): readonly Line[] {
  return (trace?.hops ?? []).flatMap(({ status, location, headers }): readonly Line[] => {
    if (location === undefined) return [];
    const isOpen = letsIn(headers, origin);
    return [
      [
        "Redirect",
        `Status ${status}, to ${location}${isOpen ? "" : ", without CORS headers, so web pages cannot follow it"}.`,
      ],
    ];
  });
}

function answerLines({ trace, probe, head }: Examination): readonly Line[] {
  if (probe === undefined) return [];
  const last = trace?.hops.at(-1);
  const said = probe.said === undefined ? "" : ` (${probe.said.code})`;
  const status = probe.status ?? last?.status;
  const lines: Line[] = [["Status", status === undefined ? "The server did not respond." : `${status}${said}.`]];
  if (isStoredCompressed(last)) lines.push(["Range", RANGES.stored]);
  else if (probe.range !== undefined) lines.push(["Range", RANGES[probe.range.kind]]);
  if (head === undefined) lines.push(["HEAD", "No answer."]);
  else if (head < 400 || head === status) lines.push(["HEAD", `${head}.`]);
  else lines.push(["HEAD", `Not allowed (${head}): readers that ask for sizes this way fail (fsspec, zarr-layer).`]);
  if (probe.size !== undefined) lines.push(["Size", `${counted(probe.size, "byte")}.`]);
  const { lastModified, etag, contentType, content } = probe;
  if (lastModified !== undefined) lines.push(["Modified", `${lastModified}.`]);
  if (etag !== undefined) lines.push(["ETag", etag]);
  if (contentType !== undefined) lines.push(["Type", contentType]);
  if (content?.kind === "data" && content.format !== undefined) lines.push(["Content", `${content.format}.`]);
  lines.push(["Cost", `${counted(probe.requests, "request")}, ${count(Math.round(probe.milliseconds))} ms.`]);
  return lines;
}

/** A server sends no ranges of what it compresses itself. */
const isStoredCompressed = (hop: Hop | undefined): boolean =>
  hop?.status === 206 && /gzip|br|zstd|deflate/.test(hop.headers.get("Content-Encoding") ?? "");

const RANGES = {
  honoured: "The server sends the requested range.",
  ignored: "The server sends the whole file instead.",
  encoded: "The server compresses what it sends.",
  stored: "The file is stored compressed, and sent as such (Content-Encoding): ranges count stored bytes.",
  other: "The server sends a different range from the one requested.",
  short: "The server sends less than requested.",
  long: "The server sends more than requested.",
} as const;

function corsLines({ probe, preflight, origin }: Examination): readonly Line[] {
  const { cors } = probe ?? {};
  if (cors === undefined) return [];
  const allowed = cors.allowOrigin === undefined ? "no Access-Control-Allow-Origin" : `for ${cors.allowOrigin}`;
  const exposed = cors.exposed.length === 0 ? "" : `; pages may read ${cors.exposed.join(", ")}`;
  const lines: Line[] = [["CORS", `Asked by ${origin}: ${allowed}${exposed}.`]];
  if (preflight === undefined) return lines;
  const { status, allowOrigin, allowHeaders } = preflight;
  const isOpen = status !== undefined && status < 300 && (allowOrigin === "*" || allowOrigin === origin);
  const headers = isOpen && allowHeaders !== undefined ? `, with headers ${allowHeaders}` : "";
  lines.push([
    "Preflight",
    isOpen
      ? `Allowed${headers}.`
      : `Not allowed (${status ?? "no answer"}): pages need it with credentials, and for ranges from the end (bytes=-16), as readers of shards and Parquet files send them.`,
  ]);
  return lines;
}
