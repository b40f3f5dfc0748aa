/** Data files that were given together, opened as one dataset where nothing stands against it. */
import { failure } from "../../core/findings/finding.ts";
import { targetAt } from "../../core/findings/fact.ts";
import type { LocalFiles } from "../../io/local-files.ts";
import { inThread } from "../many/chunk-decoder.ts";
import { openDataFile } from "../open/data-file/open-data-file.ts";
import type { OpenedAny, Opening } from "../open/driver.ts";
import { openSet } from "../open/kerchunk-json/open-document.ts";
import { candidatesIn } from "../open/candidates.ts";
import { ALL_TOGETHER, documentIn, sized, splitChoice, textDocument } from "../open/sources.ts";
import { combine, stopsCombining } from "./combine.ts";
import { examine } from "./preflight.ts";
import type { GivenFile } from "./sourced-file.ts";

/** Throws `files-not-one`. */
export async function openTogether(files: LocalFiles, opening: Opening): Promise<OpenedAny> {
  const { context } = opening;
  const found = await candidatesIn(files, context);
  const paths = found.flatMap(({ id }) => (id === ALL_TOGETHER ? [] : [splitChoice(id)[0]]));
  const given: GivenFile[] = [];
  for (const [done, path] of paths.entries()) {
    context.report({ label: "Reading the files' own metadata", done, total: paths.length, unit: "requests" });
    const source = documentIn(files, path);
    const document = await sized(source, opening);
    given.push({ name: source.url ?? path, set: await openDataFile({ ...source, document }, opening) });
  }
  const examined = await examine(given, undefined, inThread, context);
  const { barriers, along, how } = examined.answer;
  const against = barriers.filter(stopsCombining);
  if (against.length > 0) {
    const told = against.slice(0, MOST_TOLD).map(({ message, advice }) => ({ message, advice }));
    throw failure("files-not-one", targetAt(paths[0] ?? ""), {
      files: paths.length,
      barriers: told,
      count: against.length,
    });
  }
  const text = [...(await combine(examined, inThread, context)).text()].join("");
  const name = how === "merge" ? "together.json" : `along-${along ?? "files"}.json`;
  const document = textDocument(text, name);
  const url = files.urlOf?.(name);
  const base = url === undefined ? ({ kind: "file", path: name } as const) : ({ kind: "url", url } as const);
  return openSet({ ...document, base, files }, undefined, opening);
}

const MOST_TOLD = 5;
