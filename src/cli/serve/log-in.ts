/**
 * Credentials for hosts: `~/.netrc`, and a token in a variable of the environment. They leave this process only for
 * those hosts.
 */
import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";

export interface LogIn {
  readonly netrc: ReadonlyMap<string, string>;
  readonly bearer: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Throws where what is named is not there. */
export async function logIn(
  { netrc = false, bearerEnv }: { readonly netrc?: boolean | undefined; readonly bearerEnv?: string | undefined },
  environment: Environment = process.env,
): Promise<LogIn> {
  const bearer = bearerEnv === undefined ? undefined : environment[bearerEnv]?.trim();
  if (bearerEnv !== undefined && (bearer === undefined || !/^[\x21-\x7e]+$/.test(bearer)))
    throw new Error(`The environment variable ${bearerEnv} holds no token.`);
  return { bearer, netrc: netrc ? await readNetrc(environment) : new Map() };
}

async function readNetrc(environment: Environment): Promise<ReadonlyMap<string, string>> {
  const name = process.platform === "win32" ? "_netrc" : ".netrc";
  const path = environment["NETRC"] ?? join(environment["HOME"] ?? homedir(), name);
  const text = await readFile(path, "utf8").catch(() => {
    throw new Error(`--netrc: ${path} cannot be read.`);
  });
  return parseNetrc(text);
}

/** Host to `Basic …`; the entry `default` is none: it would log in to every host. */
export function parseNetrc(text: string): ReadonlyMap<string, string> {
  const words = text.replaceAll(/^\s*#.*$/gm, "").match(/"(?:[^"\\]|\\.)*"|\S+/g) ?? [];
  const entries = new Map<string, Map<string, string>>();
  let entry = new Map<string, string>();
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (word === "default") entry = new Map();
    if (!/^(?:machine|login|password|account)$/.test(word)) continue;
    const value = (words[(at += 1)] ?? "").replaceAll(/^"|"$|\\(?=.)/g, "");
    if (word === "machine") entries.set(value.toLowerCase(), (entry = new Map()));
    else entry.set(word, value);
  }
  return new Map(
    [...entries].flatMap(([host, known]) => {
      const [login, password] = [known.get("login"), known.get("password")];
      if (login === undefined || password === undefined) return [];
      return [[host, `Basic ${Buffer.from(`${login}:${password}`).toString("base64")}`] as const];
    }),
  );
}

/** For an address whose host may be logged in to. */
export function headersOf({ netrc, bearer }: LogIn, { hostname }: URL): Readonly<Record<string, string>> {
  const authorization = netrc.get(hostname) ?? (bearer === undefined ? undefined : `Bearer ${bearer}`);
  return authorization === undefined ? {} : { authorization };
}
