/** How long a signed URL is good for, by what stands in its query. */

export interface SignedUrl {
  /** Milliseconds since 1970. */
  readonly ends: number;
  readonly kind: "aws" | "gcs" | "azure" | "expires";
}

/** `undefined` where the query holds no signature, or does not say when it ends. */
export function signatureOf(query: string): SignedUrl | undefined {
  const fields = new Map(
    query
      .slice(1)
      .split("&")
      .map((part) => {
        const at = part.indexOf("=");
        return [(at < 0 ? part : part.slice(0, at)).toLowerCase(), at < 0 ? "" : decoded(part.slice(at + 1))] as const;
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

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** `20240702T181500Z`. */
function compactTime(text: string): number {
  const parts = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text);
  if (parts === null) return NaN;
  const [, year, month, day, hour, minute, second] = parts.map(Number);
  return Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute, second);
}

const epoch = (text: string): number => (/^\d{9,11}$/.test(text) ? Number(text) * 1000 : NaN);
