/** Opens a reference set named on the command line: a path or a URL. */
import { setMaxListeners } from "node:events";
import { basename, dirname, relative, resolve, sep } from "node:path";
import type { CallContext, Progress } from "../core/byte-source.ts";
import { RefscopeError } from "../core/errors.ts";
import { NO_LOCATIONS } from "../core/location.ts";
import { openSet, type Opened } from "../engine/open.ts";
import { locateDocument, type DocumentSource } from "../engine/sources.ts";
import type { Network } from "../engine/target-reader.ts";
import { renderingOptions, type CommandOptions } from "./command-options.ts";
import { directoryFiles, pathSource, siblingFiles } from "./directory.ts";

export function terminalContext(): CallContext {
  const { signal } = new AbortController();
  setMaxListeners(0, signal); // Many reads share it.
  return { signal, report: process.stderr.isTTY ? showProgress : () => undefined };
}

function showProgress({ label, done, total }: Progress): void {
  const share = total === undefined || total === 0 ? "" : ` ${Math.floor((100 * done) / total)} %`;
  process.stderr.write(`\r\u001b[K${label}${share}`);
  if (done === total) process.stderr.write("\r\u001b[K");
}

export async function openRefs(refs: string, options: CommandOptions, context: CallContext): Promise<Opened> {
  const network = networkOf(options);
  const rendering = renderingOptions(options);
  const locations = { ...NO_LOCATIONS, target: options.target };
  if (!isUrl(refs)) {
    const source = await fileSource(refs, options);
    return openSet(source, innerChoice(options.choice), locations, network, context, rendering);
  }
  const files = options.root === undefined ? undefined : await directoryFiles(options.root);
  const located = await locateDocument({ kind: "url", url: refs }, locations, undefined, network, context);
  if (located.kind === "choose") return located;
  return openSet({ ...located.source, files }, options.choice, locations, network, context, rendering);
}

export const networkOf = ({ offline }: CommandOptions): Network =>
  offline ? { http: { fetch: refuse, attempts: 1 } } : {};

export const isUrl = (refs: string): boolean => /^[a-z][a-z\d+.-]*:\/\//i.test(refs);

/** Ids name the file too, for sets among dropped files; here the file is named already. */
export const innerChoice = (choice: string | undefined) => choice?.slice(choice.lastIndexOf("\n") + 1);

async function fileSource(refs: string, { root }: CommandOptions): Promise<DocumentSource> {
  const document = await pathSource(refs);
  const files = root === undefined ? siblingFiles(dirname(refs)) : await directoryFiles(root);
  // Relative targets are relative to the document; where it lies outside the root, to the root itself.
  const below = root === undefined ? "" : relative(resolve(root), resolve(refs)).split(sep).join("/");
  const path = below === "" || below.startsWith("../") ? basename(refs) : below;
  return { document, name: basename(refs), url: undefined, base: { kind: "file", path }, files, path };
}

function refuse(url: string): Promise<Response> {
  const found = "that --offline forbids it";
  return Promise.reject(new RefscopeError({ code: "offline", doing: "Requesting a remote target", where: url, found }));
}
