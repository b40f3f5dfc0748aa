/** Makes a reproduction of a chunk's fault: an archive to download, or an issue to paste. */
import { useState } from "react";
import { capsuleFiles, capsuleName, issueText, type CapsuleContext } from "#core/check/capsule.ts";
import type { Explain } from "#core/findings/explained.ts";
import { type Finding, findingOfError, isAbort } from "#core/findings/finding.ts";
import { VERSION } from "#core/version.ts";
import { useApp, useAppState } from "../react.tsx";

interface OfChunk {
  readonly array: string;
  readonly coordinates: readonly number[];
}

const LABEL = "Building the reproduction";

export function useCapsule() {
  const { engine, tasks } = useApp();
  const set = useAppState((state) => state.set);
  const [error, setError] = useState<Finding>();
  const context = (): CapsuleContext => ({
    set: set?.url ?? set?.name ?? "",
    version: VERSION,
    platform: navigator.userAgent,
    date: new Date().toISOString(),
  });
  const run = async <T>(work: (parts: PartsAsked) => Promise<T>): Promise<T | undefined> => {
    setError(undefined);
    try {
      return await tasks.run("capsule", LABEL, (options) =>
        work((chunk, inlines) => engine.call("check.capsule", { set: set?.id ?? -1, ...chunk, inlines }, options)),
      );
    } catch (thrown) {
      if (!isAbort(thrown)) setError(findingOfError(thrown, LABEL));
      return undefined;
    }
  };
  return {
    error,
    /** A zip file; `undefined` where it failed or was cancelled. `inlines`: with the chunk's bytes. */
    archive: (chunk: OfChunk, inlines: boolean, explain: Explain) =>
      run(async (ask) => {
        const parts = await ask(chunk, inlines);
        const files = [...capsuleFiles(parts, context(), explain)];
        return { name: `${capsuleName(parts)}.zip`, bytes: await engine.call("check.archive", { files }) };
      }),
    /** Markdown. */
    issue: (chunk: OfChunk, explain: Explain) =>
      run(async (ask) => issueText(await ask(chunk, false), context(), explain)),
  };
}

type PartsAsked = (chunk: OfChunk, inlines: boolean) => Promise<Parameters<typeof issueText>[0]>;
