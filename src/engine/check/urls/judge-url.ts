/** Finds problems of a URL by itself, whatever the others of the set are. */
import type { Code, Facts, FactsOf } from "#core/findings/finding.ts";
import { decodedPart } from "#io/url-path.ts";
import { brokenBucketRule, regionSlip, storeAddress } from "#core/urls/bucket-names.ts";
import { placeholderIn } from "#core/urls/placeholders.ts";
import { schemeSlip } from "#core/urls/schemes.ts";
import { urlKind, urlParts, type UrlParts, withoutCaches } from "#core/urls/url-parts.ts";

/** How many URLs it is of, and of how many, is known when all were looked at. */
export interface UrlProblem {
  readonly code: Code;
  readonly facts: Facts;
}

export const urlProblem = <C extends Code>(code: C, facts: Omit<FactsOf<C>, "targets" | "of">): UrlProblem => ({
  code,
  facts,
});

/** `now`: milliseconds since 1970. */
export function urlProblems(target: string, now: number): readonly UrlProblem[] {
  const url = withoutCaches(target);
  const placeholder = placeholderIn(url);
  if (placeholder !== undefined) return [urlProblem("url-placeholder", { ...placeholder, beside: undefined })];
  if (/^zip:\/\/.*::/s.test(url)) return [urlProblem("url-in-archive", {})];
  const kind = urlKind(url.trimStart());
  if (kind === "other") return [];
  const blank = blankProblem(url);
  if (kind === "local") return blank;
  const slip = schemeSlip(url.trimStart());
  if (slip !== undefined) return [...blank, urlProblem("url-scheme-typo", slip)];
  const encoded = /%25[0-9a-f]{2}/i.test(url) ? [urlProblem("url-double-encoded", encodedFacts(url))] : [];
  if (kind === "relative") return [...blank, ...encoded];
  const parts = urlParts(url.trimStart());
  return [...blank, ...encoded, ...userProblem(parts), ...restProblems(parts, now), ...storeProblems(parts)];
}

/** True if its file's name, or the part after it, may be a problem: else the folder decides alone. */
export const isOddName = (name: string): boolean => /[^\w.+=,~@()&!'*:;$-]|::/.test(name);

function blankProblem(url: string): readonly UrlProblem[] {
  const at = /^\s/.test(url) ? "start" : /\s$/.test(url) ? "end" : undefined;
  if (at !== undefined) return [urlProblem("url-blank", { at })];
  // oxlint-disable-next-line no-control-regex
  return /[\u0000-\u001f\u007f\u200b\ufeff]/.test(url) ? [urlProblem("url-blank", { at: "inside" })] : [];
}

/** The first escape that is encoded once more, and what it stands for. */
function encodedFacts(url: string): { readonly written: string; readonly once: string; readonly meant: string } {
  const written = /%25[0-9a-f]{2}/i.exec(url)?.[0] ?? "";
  const once = `%${written.slice(3)}`;
  const code = Number.parseInt(written.slice(3), 16);
  return { written, once, meant: code > 32 && code < 127 ? String.fromCharCode(code) : "" };
}

/** Before the `@` of abfs stands a container. */
function userProblem({ scheme = "", user }: UrlParts): readonly UrlProblem[] {
  if (user === undefined || user === "") return [];
  const hasPassword = user.includes(":");
  const isUser = /^(?:https?|s3[an]?|gs|gcs)$/i.test(scheme);
  return hasPassword || isUser ? [urlProblem("url-credentials", { hasPassword })] : [];
}

function restProblems({ scheme = "", rest }: UrlParts, now: number): readonly UrlProblem[] {
  const hash = rest.indexOf("#");
  const query = hash < 0 ? rest : rest.slice(0, hash);
  const signed = query.startsWith("?") ? signatureOf(query) : undefined;
  const found: UrlProblem[] = hash < 0 ? [] : [urlProblem("url-fragment", { fragment: rest.slice(hash), scheme })];
  if (signed === undefined) return found;
  const ends = new Date(signed.ends).toISOString().slice(0, 16).replace("T", " ");
  return [...found, urlProblem(signed.ends < now ? "url-signature-expired" : "url-signature-ends", { ends })];
}

function storeProblems({ scheme = "", host, path }: UrlParts): readonly UrlProblem[] {
  const address = storeAddress(scheme, host, path);
  if (address === undefined) return [];
  const rule = address.bucket === "" ? undefined : brokenBucketRule(address);
  const region = address.region === undefined ? undefined : regionSlip(address.region);
  return [
    ...(rule === undefined
      ? []
      : [urlProblem("url-bucket-invalid", { name: address.bucket, rule, store: address.store })]),
    ...(region === undefined ? [] : [urlProblem("url-region-typo", region)]),
  ];
}

// When a signed URL expires, from its query string.

interface SignedUrl {
  /** Milliseconds since 1970. */
  readonly ends: number;
  readonly kind: "aws" | "gcs" | "azure" | "expires";
}

/** `undefined` where the query holds no signature, or does not say when it ends. */
function signatureOf(query: string): SignedUrl | undefined {
  const fields = new Map(
    query
      .slice(1)
      .split("&")
      .map((part) => {
        const at = part.indexOf("=");
        return [
          (at < 0 ? part : part.slice(0, at)).toLowerCase(),
          at < 0 ? "" : decodedPart(part.slice(at + 1)),
        ] as const;
      }),
  );
  const field = (name: string) => fields.get(name) ?? "";
  const dated = (prefix: string) =>
    compactTime(field(`${prefix}-date`)) + Number(field(`${prefix}-expires`) || NaN) * 1000;
  const found: SignedUrl[] = [
    { kind: "aws" as const, ends: fields.has("x-amz-signature") ? dated("x-amz") : NaN },
    { kind: "gcs" as const, ends: fields.has("x-goog-signature") ? dated("x-goog") : NaN },
    { kind: "azure" as const, ends: fields.has("sig") ? Date.parse(field("se")) : NaN },
    { kind: "expires" as const, ends: fields.has("signature") ? epoch(field("expires")) : NaN },
  ];
  return found.find(({ ends }) => Number.isFinite(ends));
}

/** `20240702T181500Z`. */
function compactTime(text: string): number {
  const parts = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text);
  if (parts === null) return NaN;
  const [, year, month, day, hour, minute, second] = parts.map(Number);
  return Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute, second);
}

const epoch = (text: string): number => (/^\d{9,11}$/.test(text) ? Number(text) * 1000 : NaN);
