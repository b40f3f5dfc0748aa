import { attempt } from "../basics.ts";
/**
 * Tells if a URL's host is on this machine or in a private network (RFC 1918, 4193, 6598, 6761, 6762, 3927, 4291), or
 * may be by way of a translator (RFC 6052, 8215) or a tunnel (RFC 3056, 4380). Names are judged as written: a public
 * name that resolves to a private address is left to the browser's own guard.
 */

/** First and last address of the IPv4 blocks that are not on the public internet. */
const PRIVATE_V4: readonly (readonly [base: string, bits: number])[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 3],
];

const PRIVATE_SUFFIXES: readonly string[] = [
  ".localhost",
  ".local",
  ".localdomain",
  ".internal",
  ".intranet",
  ".lan",
  ".home",
  ".corp",
  ".home.arpa",
];

/** False for what is not a URL and for schemes other than http and https. */
export function isPrivateUrl(url: string): boolean {
  const parsed = parse(url);
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol)) return false;
  return isPrivateHost(parsed.hostname);
}

/** `hostname` as the URL parser of http(s) gives it: IPv4 in dotted form however it was spelt, IPv6 in brackets. */
export function isPrivateHost(hostname: string): boolean {
  if (hostname.startsWith("[")) return isPrivateV6(hostname.slice(1, -1));
  const v4 = parseV4(hostname);
  if (v4 !== undefined) return isPrivateV4(v4);
  const name = hostname.toLowerCase().replace(/\.$/, "");
  // A name without a dot can only be a neighbour's.
  return !name.includes(".") || PRIVATE_SUFFIXES.some((suffix) => name.endsWith(suffix));
}

const parse = (url: string): URL | undefined => attempt(() => new URL(url));

function parseV4(text: string): number | undefined {
  const match = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text);
  if (match === null) return undefined;
  return match.slice(1).reduce((value, part) => value * 256 + Number(part), 0);
}

function isPrivateV4(address: number): boolean {
  return PRIVATE_V4.some(([base, bits]) => {
    const size = 2 ** (32 - bits);
    return Math.floor(address / size) === Math.floor((parseV4(base) ?? 0) / size);
  });
}

/** `address` as the URL parser writes it: hexadecimal groups, at most one `::`. */
function isPrivateV6(address: string): boolean {
  const groups = parseV6(address);
  if (groups === undefined) return true;
  const [first = 0, second = 0, third = 0] = groups;
  const embedded = embeddedV4(groups);
  if (embedded !== undefined) return isPrivateV4(embedded);
  if (first === 0x2002) return isPrivateV4(second * 65536 + third);
  // 64:ff9b:1::/48, a network's own translator, which hides where in the address the IPv4 one stands.
  if (first === 0x64 && second === 0xff9b && third === 1) return true;
  // 2001::/32, Teredo: a machine behind a router.
  if (first === 0x2001 && second === 0) return true;
  // fc00::/7 unique local, fe80::/10 link-local, fec0::/10 site-local, ff00::/8 multicast.
  return (first & 0xfe00) === 0xfc00 || (first & 0xff80) === 0xfe80 || (first & 0xff00) === 0xff00;
}

/** The IPv4 address in `::`, `::1`, `::a.b.c.d`, `::ffff:a.b.c.d`, `::ffff:0:a.b.c.d` and `64:ff9b::a.b.c.d`. */
function embeddedV4(groups: readonly number[]): number | undefined {
  const head = groups.slice(0, 6).join(",");
  const wrappers = ["0,0,0,0,0,0", "0,0,0,0,0,65535", "0,0,0,0,65535,0", "100,65435,0,0,0,0"];
  return wrappers.includes(head) ? (groups[6] ?? 0) * 65536 + (groups[7] ?? 0) : undefined;
}

function parseV6(address: string): readonly number[] | undefined {
  const [left = "", right] = address.split("::");
  const before = left === "" ? [] : left.split(":");
  const after = right === undefined || right === "" ? [] : right.split(":");
  const zeros = right === undefined ? [] : Array.from({ length: 8 - before.length - after.length }, () => "0");
  const groups = [...before, ...zeros, ...after].map((group) => Number.parseInt(group, 16));
  return groups.length === 8 && groups.every(Number.isInteger) ? groups : undefined;
}
