/** Text to paste where a server blocks access: CORS configuration by kind of server, and a request to try. */
import type { ByteRange } from "../byte-source.ts";
import { shellWord } from "../words.ts";

export type ServerKind = "s3" | "gcs" | "azure" | "web";

export interface Remedy {
  readonly id: "s3" | "gcs" | "azure" | "nginx" | "apache" | "curl" | "doctor" | "python";
  /** "Amazon S3 (and stores that speak it)". */
  readonly title: string;
  /** Lines to paste, without a line feed at the end. */
  readonly text: string;
}

/** Headers that pages need to read beside those that any page may. */
const EXPOSED = ["Content-Range", "Content-Length", "Content-Encoding", "Accept-Ranges", "ETag", "Last-Modified"];
const METHODS = ["GET", "HEAD"];
/** Headers that are asked for first. */
const ALLOWED = ["Range", "Authorization"];
const SECONDS = 3600;

/** Kind of server behind a URL, by its host. */
export function serverKind(url: string): ServerKind {
  const host = URL.canParse(url) ? new URL(url).hostname : "";
  if (/(?:^|\.)s3[.-][a-z0-9.-]*amazonaws\.com(?:\.cn)?$|(?:^|\.)s3\.amazonaws\.com$/.test(host)) return "s3";
  if (/(?:^|\.)storage\.googleapis\.com$/.test(host)) return "gcs";
  return /\.(?:blob|dfs)\.core\.windows\.net$/.test(host) ? "azure" : "web";
}

/** The bucket, or Azure's account, that a URL names; `undefined` where none can be told. */
export function bucketOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { hostname, pathname } = new URL(url);
  const first = pathname.split("/")[1];
  switch (serverKind(url)) {
    case "s3": {
      const inHost = /^(.+)\.s3[.-]/.exec(hostname)?.[1];
      return inHost ?? (first === "" ? undefined : first);
    }
    case "gcs":
      return hostname === "storage.googleapis.com" ? first : hostname.replace(/\.storage\.googleapis\.com$/, "");
    case "azure":
      return hostname.split(".")[0];
    case "web":
      return undefined;
  }
}

/** For the server of the URL, the likeliest first; `origin`: the page that is to be let in, `*` for all. */
export function corsRemedies(url: string, origin = "*"): readonly Remedy[] {
  const bucket = bucketOf(url);
  const kind = serverKind(url);
  if (kind === "web") return [nginx(url, origin), apache(origin), s3(undefined, origin)];
  return [{ s3, gcs, azure }[kind](bucket, origin)];
}

/** For all kinds of servers. */
export const allCorsRemedies = (origin = "*"): readonly Remedy[] => [
  s3(undefined, origin),
  gcs(undefined, origin),
  azure(undefined, origin),
  nginx("", origin),
  apache(origin),
];

const s3 = (bucket = "BUCKET", origin: string): Remedy => ({
  id: "s3",
  title: "Amazon S3, and stores that speak its language",
  text: [
    "cat > cors.json <<'EOF'",
    json({
      CORSRules: [
        {
          AllowedOrigins: [origin],
          AllowedMethods: METHODS,
          AllowedHeaders: ALLOWED,
          ExposeHeaders: EXPOSED,
          MaxAgeSeconds: SECONDS,
        },
      ],
    }),
    "EOF",
    `aws s3api put-bucket-cors --bucket ${shellWord(bucket)} --cors-configuration file://cors.json`,
  ].join("\n"),
});

const gcs = (bucket = "BUCKET", origin: string): Remedy => ({
  id: "gcs",
  title: "Google Cloud Storage",
  text: [
    "cat > cors.json <<'EOF'",
    json([{ origin: [origin], method: METHODS, responseHeader: [...EXPOSED, ...ALLOWED], maxAgeSeconds: SECONDS }]),
    "EOF",
    `gcloud storage buckets update ${shellWord(`gs://${bucket}`)} --cors-file=cors.json`,
  ].join("\n"),
});

const azure = (account = "ACCOUNT", origin: string): Remedy => ({
  id: "azure",
  title: "Azure Blob Storage",
  text: [
    "az storage cors add --services b \\",
    `  --methods ${[...METHODS, "OPTIONS"].join(" ")} --origins ${shellWord(origin)} \\`,
    `  --allowed-headers ${shellWord(ALLOWED.join(","))} --exposed-headers ${shellWord(EXPOSED.join(","))} \\`,
    `  --max-age ${SECONDS} --account-name ${shellWord(account)}`,
  ].join("\n"),
});

function nginx(url: string, origin: string): Remedy {
  const path = URL.canParse(url) ? new URL(url).pathname : "/data/";
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  const headers = [
    `add_header Access-Control-Allow-Origin "${origin}" always;`,
    `add_header Access-Control-Expose-Headers "${EXPOSED.join(", ")}" always;`,
  ];
  const text = [
    `location "${folder.replace(/["\\$]/g, "")}" {`,
    ...headers.map((line) => `    ${line}`),
    "    gzip off;",
    "    if ($request_method = OPTIONS) {",
    ...headers.slice(0, 1).map((line) => `        ${line}`),
    `        add_header Access-Control-Allow-Methods "${[...METHODS, "OPTIONS"].join(", ")}" always;`,
    `        add_header Access-Control-Allow-Headers "${ALLOWED.join(", ")}" always;`,
    `        add_header Access-Control-Max-Age ${SECONDS} always;`,
    "        return 204;",
    "    }",
    "}",
  ].join("\n");
  return { id: "nginx", title: "nginx", text };
}

const apache = (origin: string): Remedy => ({
  id: "apache",
  title: "Apache (mod_headers, mod_rewrite)",
  text: [
    `Header always set Access-Control-Allow-Origin "${origin}"`,
    `Header always set Access-Control-Expose-Headers "${EXPOSED.join(", ")}"`,
    `Header always set Access-Control-Allow-Methods "${[...METHODS, "OPTIONS"].join(", ")}"`,
    `Header always set Access-Control-Allow-Headers "${ALLOWED.join(", ")}"`,
    "SetEnv no-gzip 1",
    "RewriteEngine On",
    "RewriteCond %{REQUEST_METHOD} OPTIONS",
    "RewriteRule .* - [R=204,L]",
  ].join("\n"),
});

/** The headers that a page would get, by a request that asks for a few bytes. */
export function curlLine(url: string, origin: string, range: ByteRange = { offset: 0, length: 16 }): string {
  const { offset, length } = range;
  const bytes = `${offset}-${offset + length - 1}`;
  return `curl -sS -D - -o /dev/null -r ${bytes} -H ${shellWord(`Origin: ${origin}`)} ${shellWord(url)}`;
}

const json = (value: unknown): string => JSON.stringify(value, undefined, 2);
