/** Texts as they may be shown: nothing in them gives access to anything. */
export const HIDDEN = "(there, not shown)";

/** Users and passwords in URLs (of https the user may be a token), signatures in their queries, authorisation headers. */
export function withoutSecrets(text: string): string {
  if (/^(?:bearer|basic|digest|token|aws4-hmac-sha256)\s/i.test(text)) return HIDDEN;
  return text
    .replace(/^([a-z][a-z\d+.-]*:\/\/)[^/?#]*:[^/?#]*@/i, "$1…@")
    .replace(/^(https?:\/\/)[^/?#]*@/i, "$1…@")
    .replace(/([?&][^=&#]*(?:signature|sig|token|key|credential|secret)[^=&#]*=)[^&#]*/gi, "$1…");
}
