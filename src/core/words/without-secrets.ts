/**
 * What leaves (links, reports, capsules, logs, Python lines, the terminal's output) gives access to nothing: users and
 * passwords in URLs, signatures and tokens in their queries, authorisation. One function, for URLs and for any text in
 * which some stand, percent-encoded and chained ones (`zip://a::https://…?sig=…`) too.
 */
export const HIDDEN = "(there, not shown)";

/** Names of what gives access: AWS, Google and Azure signatures, CloudFront's policy, tokens, keys and passwords. */
const NAME = String.raw`[\w.~-]*(?:signature|sig|token|key|credential|secret|passw(?:or)?d|pwd|auth|policy)[\w.~-]*`;

const RULES: readonly (readonly [pattern: RegExp, by: string])[] = [
  // With a password, whatever the scheme; of HTTP the user may be a token, elsewhere (abfs) it is a container.
  [/\b([a-z][a-z\d+.-]*:(?:\/|%2f){2})[^\s/?#"'<>]*?(?::|%3a)[^\s/?#"'<>]*(?:@|%40)/gi, "$1MARK@"],
  [/\b(https?:(?:\/|%2f){2})[^\s/?#"'<>@]*@/gi, "$1MARK@"],
  [new RegExp(String.raw`((?:[?&;]|%3f|%26|%3b)${NAME}(?:=|%3d))(?:(?!%26|%23)[^\s&#"'<>\\|;])+`, "gi"), "$1MARK"],
  // But for what represents a token in lines to paste.
  [
    /\b(authorization(?!["']?\s*[:=]\s*["']?bearer TOKEN["'])["']?\s*[:=]\s*["']?)(?:(?:bearer|basic|digest|token|aws4-hmac-sha256)\s+)?[^"'\n]+/gi,
    `$1${HIDDEN}`,
  ],
  [/\b((?:bearer|basic)\s+)[\w+/.~-]{8,}=*/gi, `$1${HIDDEN}`],
  [
    /(["'](?:secret|password|token|api_?key|aws_secret_access_key|account_key|sas_token)["']\s*:\s*["'])[^"']+/gi,
    `$1${HIDDEN}`,
  ],
];

const ALONE = /^(?:bearer|basic|digest|token|aws4-hmac-sha256)\s/i;

/** `mark` stands where a secret stood. */
export function withoutSecrets(text: string, mark = "…"): string {
  if (ALONE.test(text)) return HIDDEN;
  return RULES.reduce((shown, [pattern, by]) => shown.replace(pattern, by.replace("MARK", mark)), text);
}

export const hasSecrets = (text: string): boolean => withoutSecrets(text) !== text;

/**
 * A page that a server on this computer gives to one user lies below a token (`cli/serve/`), in a notebook of JupyterHub
 * by way of its proxy (`python/`): the address without it.
 */
export const withoutToken = (address: string): string =>
  address.replace(/^(http:\/\/(?:127\.0\.0\.1|localhost):\d+\/|https?:[^?#]*\/proxy\/\d+\/)[\w-]{22,}\//, "$1");
