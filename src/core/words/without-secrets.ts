/**
 * Removes secrets from everything that leaves (links, reports, capsules, logs, Python lines, the terminal's output):
 * users and passwords in URLs, values in their queries and fragments, authorisation. One function, for URLs and for any
 * text that contains some, percent-encoded and chained ones (`zip://a::https://…?sig=…`) too. Nobody can list all names
 * that give access (`jwt`, `code`, `sid`), so only values known to be harmless are shown. A link must also lead to the
 * dataset (`?id=42`): it keeps short values that are words and numbers, unless their names speak of access. Every step
 * is one pass: text from strangers is long.
 */
export const HIDDEN = "(there, not shown)";

/** Names of parameters that say what is asked for, not who asks; in lower case. */
const HARMLESS: ReadonlySet<string> = new Set(
  [
    // Versions and parts of objects: S3, Google Cloud Storage, Azure.
    "version versionid generation partnumber snapshot alt list-type prefix delimiter max-keys encoding-type x-id",
    // Places of elements and bytes.
    "range bytes offset length start end stop step stride limit page x y z level levels member select selection",
    // OGC's services: WMS, WCS, WFS.
    "service request format f layer layers style styles crs srs bbox width height elevation transparent coverage coverageid",
    "subset typename typenames identifier exceptions outputformat",
    // THREDDS, OPeNDAP, ERDDAP, and what models are asked for.
    "time time_start time_end timestride temporal var vars variable variables north south east west lat lon latitude longitude",
    "horizstride vertcoord vertstride disableprojsubset disablellsubset addlatlon accept dataset collection product",
    "date day month year hour param model type",
    // The address of the page.
    "url set ref array chunk view slice point values target with tab",
  ].flatMap((names) => names.split(" ")),
);

/** Within a name, between its words. */
const OF_ACCESS =
  /^(?:pin|otp|sid|sig|st|se|sp|jwt|sas|pw|pwd|pass|code|state|share|user|login|nonce|sign|key|hdnea|gda|psk)$|token|auth|secret|passw|passphrase|credential|session|sessid|signature|ticket|assertion|bearer|cookie|csrf|xsrf|hash|hmac|hmd5|api_?key|access|licen[cs]e|(?:private|auth|dl|public|sub)key/;

const namesAccess = (name: string): boolean => {
  const words = name.replace(/(?<=[a-z])(?=[A-Z])|%(?:25)*[\da-f]{2}|[^A-Za-z\d]/g, " ").toLowerCase();
  return words.split(" ").some((word) => OF_ACCESS.test(word)) || OF_ACCESS.test(words.replaceAll(" ", ""));
};

const MAX_PLAIN = 64;
const MAX_WORD = 20;
/**
 * From a letter to a digit or back, from small letters to capitals: `v20200101T00` has three, a token one at every
 * other.
 */
const CHANGES = /[a-z](?=[A-Z\d])|\d(?=[A-Za-z])|[A-Z](?=\d)|[A-Z](?=[A-Z][a-z])/g;
const MAX_CHANGES = 3;

/** A UUID, or letters and digits beyond the longest time stamp. */
const TOKEN = /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}|(?<![a-z\d])(?=[a-z]*\d)(?=\d*[a-z])[a-z\d]{17,}/i;

/** Words, numbers and dates. */
const isPlain = (value: string): boolean =>
  value.length <= MAX_PLAIN &&
  !TOKEN.test(value) &&
  value
    .split(/%(?:25)*[\da-f]{2}|[^a-z\d]/i)
    .every((word) => word.length <= MAX_WORD && (word.match(CHANGES)?.length ?? 0) <= MAX_CHANGES);

type IsShown = (name: string, value: string) => boolean;
const isHarmless: IsShown = (name) => HARMLESS.has(name.toLowerCase());
const isLinked: IsShown = (name, value) => isHarmless(name, value) || (!namesAccess(name) && isPlain(value));

/** But for what represents a token in lines to paste. */
const RULES: readonly (readonly [pattern: RegExp, by: string])[] = [
  [
    /\b(authorization(?!["']?\s*[:=]\s*["']?bearer TOKEN["'])["']?\s*[:=]\s*["']?)(?:(?:bearer|basic|digest|token|aws4-hmac-sha256)\s+)?[^"'\n]+/gi,
    `$1${HIDDEN}`,
  ],
  [/\b((?:cookie|x-[\w-]{0,40}(?:key|token|secret))["']?: ?["']?)[^"'\n]+/gi, `$1${HIDDEN}`],
  [/\b((?:bearer|basic)\s+)[\w+/.~-]{8,}=*/gi, `$1${HIDDEN}`],
  [
    /(["'](?:secret|password|token|api_?key|aws_secret_access_key|account_key|sas_token)["']\s*:\s*["'])[^"']+/gi,
    `$1${HIDDEN}`,
  ],
];

const ALONE = /^(?:bearer|basic|digest|token|aws4-hmac-sha256)\s/i;

/** `mark` stands where a secret stood. */
export const withoutSecrets = (text: string, mark = "…"): string => hide(text, mark, isHarmless);

/** A URL for a link, which still leads to the dataset where nobody's access is needed. */
export const linkable = (url: string): string => hide(url, "…", isLinked);

function hide(text: string, mark: string, isShown: IsShown): string {
  if (ALONE.test(text)) return HIDDEN;
  const shown = text.replace(WORD, (word) => withoutParameters(withoutUsers(word, mark), mark, isShown));
  return RULES.reduce((known, [pattern, by]) => known.replace(pattern, by), shown);
}

/** Characters that a URL can contain; a quote within it does not end it. */
const WORD = /(?:[^\s"'<>\\`]|'(?=[\w%]))+/g;

/** Encoded once or more often, as in a URL that is a parameter of another. */
const AUTHORITY = /(?:^|[^a-z\d+.-])([a-z][a-z\d+.-]{0,30})(?::|%(?:25)*3a)(?:\/|%(?:25)*2f){2}/gi;
const AUTHORITY_END = /[/?#]|%(?:25)*(?:2f|3f|23)/gi;
/** Up to the last. */
const TO_AT = /^.*(?:@|%(?:25)*40)/is;
const COLON = /:|%(?:25)*3a/i;

/** With a password, whatever the scheme; of HTTP the user may be a token, elsewhere (abfs) it is a container. */
function withoutUsers(word: string, mark: string): string {
  if (!COLON.test(word) || !TO_AT.test(word)) return word;
  let [shown, done] = ["", 0];
  for (const {
    0: { length },
    1: scheme = "",
    index,
  } of word.matchAll(AUTHORITY)) {
    const from = index + length;
    AUTHORITY_END.lastIndex = from;
    const authority = word.slice(from, AUTHORITY_END.exec(word)?.index);
    const [users] = TO_AT.exec(authority) ?? [];
    if (users === undefined || !(/^https?$/i.test(scheme) || COLON.test(users))) continue;
    shown += `${word.slice(done, from)}${mark}@`;
    done = from + users.length;
  }
  return shown + word.slice(done);
}

const SEPARATOR = /([?&#;]|%(?:25)*(?:3f|26|23|3b))/i;
const EQUALS = /=|%(?:25)*3d/i;
/** Nobody's name of a variable. */
const MAX_NAME = 15;
/** No URL has more; what follows is hidden with the last. */
const MAX_PARAMETERS = 1000;
/** Start of an adapter in a URL (`https://…|zip:`). */
const ADAPTER = /\|[a-z][a-z\d.-]{0,20}:/i;

function withoutParameters(word: string, mark: string, isShown: IsShown): string {
  if (!SEPARATOR.test(word)) return word;
  const parts = word.split(SEPARATOR, 2 * MAX_PARAMETERS + 1);
  const isUrl = /:(?:\/\/|%(?:25)*2f)|%(?:25)*3a/i.test(parts[0] ?? "");
  let [isQuery, hidden, read] = [false, Infinity, 0];
  const shown = parts.map((part, at) => {
    read += part.length;
    if (at % 2 === 1 || at === 0) return hidden < depthOf(at % 2 === 1 ? part : "") ? "" : part;
    const separator = parts[at - 1] ?? "";
    const sign = separator.at(-1) ?? "";
    // It belongs to a value that is not shown.
    if (depthOf(separator) > hidden) return "";
    const isPath = !isQuery && (sign === ";" || sign === "b" || sign === "B");
    isQuery ||= sign === "?" || (isUrl && !isPath) || sign === "f" || sign === "F";
    if (part === "" || (!isQuery && !isUrl)) return part;
    const wasHidden = hidden < Infinity;
    hidden = Infinity;
    const equals = part.search(EQUALS);
    const from = equals < 0 ? 0 : equals + (part[equals] === "=" ? 1 : (EQUALS.exec(part)?.[0].length ?? 0));
    const value = part.slice(from);
    const keeps =
      equals < 0 ? !(wasHidden && /[?;]/.test(sign)) && !isToken(part) : isShown(part.slice(0, equals), value);
    if (keeps) return part;
    hidden = depthOf(separator);
    const end = isPath ? value.indexOf("/") : value.search(ADAPTER);
    const rest = end < 0 ? punctuation(value) : value.slice(end);
    return part.slice(0, from) + (value.length > rest.length ? mark : "") + rest;
  });
  const more = word.slice(read);
  const isHidden = more !== "" && (isUrl || isQuery || /\?|%(?:25)*3f/i.test(more));
  return shown.join("") + (isHidden ? mark : more);
}

/** How often it is encoded. */
const depthOf = (separator: string): number => (separator.length < 2 ? 0 : separator.length / 2);

/** A value without a name that reads like no list of variables. */
const isToken = (part: string): boolean => part.length > MAX_NAME && /^(?=[^\d]*\d)[\w.~+/%-]+$/.test(part);

/** Punctuation after a URL: the end of a sentence or link. */
function punctuation(value: string): string {
  let end = value.length;
  while (end > 0 && ").,:!]}".includes(value[end - 1] ?? "-")) end -= 1;
  return value.slice(end);
}

export const hasSecrets = (text: string): boolean => withoutSecrets(text) !== text;

export const isLinkable = (url: string): boolean => linkable(url) === url;

/**
 * A page that a server on this computer gives to one user lies below a token (`cli/serve/`), in a notebook of JupyterHub
 * by way of its proxy (`python/`): the address without it.
 */
export const withoutToken = (address: string): string =>
  address.replace(/^(http:\/\/(?:127\.0\.0\.1|localhost):\d+\/|https?:[^?#]*\/proxy\/\d+\/)[\w-]{22,}\//, "$1");
