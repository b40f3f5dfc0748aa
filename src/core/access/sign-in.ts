/** Pages that ask to sign in, and what to do for those whose service is known. */

export type SignIn = "earthdata" | "google" | "microsoft" | "copernicus" | "other";

/** Services by the host that a redirect leads to. */
const HOSTS: readonly (readonly [SignIn, RegExp])[] = [
  ["earthdata", /(?:^|\.)urs\.earthdata\.nasa\.gov$/i],
  ["google", /(?:^|\.)accounts\.google\.com$/i],
  ["microsoft", /(?:^|\.)login\.(?:microsoftonline|live)\.com$/i],
  ["copernicus", /(?:^|\.)identity\.dataspace\.copernicus\.eu$/i],
];
const WORDS = /\b(?:log|sign)[ -]?(?:in|on)\b|\blogin\b|\bauthenticat|\bpassword\b/i;
const PATH = /(?:^|[/._-])(?:login|signin|sign-in|oauth2?|authorize|sso|saml2?|openid(?:-connect)?|auth)(?:[/._-]|$)/i;

/** `words`: the title of the page; `redirectedTo`: where it came from, if not from where it was asked for. */
export function signInOf(words: string, redirectedTo: string | undefined): SignIn | undefined {
  const url = redirectedTo !== undefined && URL.canParse(redirectedTo) ? new URL(redirectedTo) : undefined;
  const known = url === undefined ? undefined : HOSTS.find(([, host]) => host.test(url.hostname))?.[0];
  if (known !== undefined) return known;
  if (/\bearthdata login\b/i.test(words)) return "earthdata";
  const isSignIn = WORDS.test(words) || (url !== undefined && PATH.test(url.pathname));
  return isSignIn ? "other" : undefined;
}

/** Steps of signing in, as a sentence. */
export const SIGN_IN_STEPS: Readonly<Record<SignIn, string>> = {
  earthdata:
    "Sign in to NASA Earthdata (urs.earthdata.nasa.gov), approve the data provider's application there, generate a token, and pass it to the reader in the header Authorization.",
  google:
    "Let an account read the objects, and give its credentials to the reader (gcsfs), or make the objects public.",
  microsoft: "Give the reader an account (adlfs), or URLs with a signature (SAS).",
  copernicus:
    "Sign in to the Copernicus Data Space (dataspace.copernicus.eu), get an access token, and pass it to the reader in the header Authorization.",
  other: "Sign in at the provider, and pass the token or password it gives to the reader as a header.",
};

/** Names of a query by which an address carries its own permission. */
const SIGNATURE = /[?&](?:x-amz-signature|x-goog-signature|signature|sig)=/i;

/** Such an address needs no other credentials: servers refuse both together. */
export const isSigned = (url: string): boolean => SIGNATURE.test(url);
