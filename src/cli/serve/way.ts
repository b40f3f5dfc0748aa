/** How `open` and `serve` reach what a dataset refers to: with what the user gave for it, and to whom that goes. */
import { isPrivateUrl } from "#core/urls/private-address.ts";
import { asItIs } from "#io/url-path.ts";
import { isUrl, type Reach } from "../open-refs.ts";
import type { CommandOptions } from "../options.ts";
import { awsProfile, s3By } from "./aws-profile.ts";
import { headersOf, logIn } from "./log-in.ts";
import { relayBook, type RelayBook } from "./relays.ts";
import { fetchBy, type Way } from "./upstream.ts";

/** With what the engine of this process needs. */
export interface OwnWay extends Reach {
  readonly book: RelayBook;
  readonly way: Way;
  /** Once targets are known. Throws where a token is for none of several hosts in particular. */
  readonly settle: () => void;
}

/** Hosts in a message. */
const MAX_NAMED = 20;

/** `refs`: what the user wrote. */
export async function wayOf(
  refs: string | undefined,
  options: CommandOptions,
  lookup?: Way["lookup"],
): Promise<OwnWay> {
  const { netrc, bearerEnv, awsProfile: profile, requesterPays = false, region, allowPrivate = false } = options;
  const login = await logIn({ netrc, bearerEnv });
  const aws = profile === undefined ? undefined : await awsProfile(profile);
  const s3 = aws === undefined ? undefined : s3By({ ...aws, region: region ?? aws.region }, requesterPays);
  const isS3 = (url: string) => s3 !== undefined && url.startsWith("s3://");
  const hands = (options.relay ?? []).flat();
  const isByHand = (url: string) => hands.some((prefix) => url.startsWith(prefix));
  const typed = refs !== undefined && isUrl(refs) && !/^file:/i.test(refs) ? refs : undefined;
  const isTyped = (url: URL) => typed !== undefined && URL.canParse(typed) && new URL(typed).origin === url.origin;
  // A token goes in the clear only to the host that the user named.
  const isSafe = (url: URL) => url.protocol === "https:" || trusts(url);
  const places = () => book.list().filter(({ prefix }) => prefix.startsWith("http") && isSafe(new URL(prefix)));
  /** True for the user's own file's host, if no host is named: the first known one. */
  const isFirst = (url: URL) => typed === undefined && hands.length === 0 && places()[0]?.prefix === `${url.origin}/`;
  const everywhere = allowPrivate || (typed !== undefined && isPrivateUrl(typed));
  const trusts = (url: URL) => everywhere || isByHand(url.href) || isTyped(url);
  const book = relayBook();
  for (const prefix of hands) book.add(prefix);
  const way: Way = {
    trusts,
    takes: book.takes,
    s3,
    ...(lookup && { lookup }),
    headersFor(url) {
      const isMeant = isTyped(url) || (hands.length > 0 ? isByHand(url.href) : book.takes(url.href));
      if (!isMeant || !isSafe(url)) return {};
      // A token is for no host in particular, and references can name any to get it.
      const isOwn = isTyped(url) || isByHand(url.href) || isFirst(url);
      return headersOf(isOwn ? login : { ...login, bearer: undefined }, url);
    },
  };
  const settle = () => {
    const found = places();
    if (login.bearer === undefined || typed !== undefined || hands.length > 0 || found.length < 2) return;
    const lines = found.slice(0, MAX_NAMED).map(({ prefix }) => `\n  --relay ${prefix}`);
    const more = found.length > MAX_NAMED ? `\n  and ${found.length - MAX_NAMED} more` : "";
    throw new Error(
      `The references name ${found.length} hosts, and the token in ${bearerEnv} is for none of them in particular. Name those that may have it:${lines.join("")}${more}`,
    );
  };
  return {
    book,
    way,
    settle,
    network: { http: { followsRedirects: true, fetch: fetchBy(way) } },
    relays: {
      placeOf: (url) => (isS3(url) || (url.startsWith("http") && isByHand(url)) ? url : undefined),
      asItIs: (target) => (isS3(target) ? asItIs(target) : undefined),
    },
  };
}
