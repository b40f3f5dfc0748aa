/** Choice of what the export writes in place of relative and local paths: where the sources will lie. */
import { useState } from "react";
import type { Finding } from "#core/findings/finding.ts";
import type { ExportPlan } from "#core/studio.ts";
import { useTask } from "#store/hooks/use-task.ts";
import { useApp } from "#store/react.tsx";
import { Button, TextField } from "#widgets/controls/Button.tsx";
import { ErrorNotice, Loading, useExplain } from "#widgets/notes/Notices.tsx";
import { countOf } from "#widgets/number-format.ts";
import { type Choice, Radios } from "./Radios.tsx";
import styles from "./ExportDialog.module.css";

interface SourcePathsProps {
  readonly set: number;
  readonly paths: ExportPlan["paths"];
  /** Readers of the form take absolute addresses only. */
  readonly isAbsolute: boolean;
  /** "" keeps relative paths; `undefined` where nothing was chosen. */
  readonly sources: string | undefined;
  readonly onSources: (sources: string | undefined) => void;
}

/** Addresses of which a page can ask whether they can be read. */
const REACHABLE = /^(?:https?|s3|gs|gcs):\/\/[^/]+/i;

type Where = "default" | "relative" | "prefix";

export function SourcePaths({ set, paths, isAbsolute, sources, onSources }: SourcePathsProps) {
  const { count, becomeUrls, example } = paths;
  const [where, setWhere] = useState<Where>("default");
  const [draft, setDraft] = useState("");
  const wishOf = (one: Where) => (one === "relative" ? "" : one === "prefix" ? draft.trim() || undefined : undefined);
  const commit = () => onSources(wishOf("prefix"));
  const isPlaced = where === "prefix" && sources !== undefined;
  return (
    <>
      <Radios
        legend={`${countOf(count, "source")} with a relative or local path`}
        choices={choicesOf(becomeUrls, isAbsolute)}
        chosen={where === "relative" && (!becomeUrls || isAbsolute) ? "default" : where}
        onChoose={(one) => {
          setWhere(one);
          onSources(wishOf(one));
        }}
      />
      {where === "prefix" ? (
        <TextField
          aria-label="URL of the sources' folder"
          placeholder="https://example.org/data/"
          value={draft}
          onChange={(event) => setDraft(event.target.value)}
          onBlur={commit}
          onKeyDown={(event) => (event.key === "Enter" ? commit() : undefined)}
        />
      ) : null}
      {isPlaced ? (
        <p className={`break ${styles.detail}`}>
          <code>{example[0]}</code> becomes <code>{example[1]}</code>
        </p>
      ) : null}
      {isPlaced && REACHABLE.test(example[1]) ? <TryUrl set={set} url={example[1]} /> : null}
    </>
  );
}

const FULL: Choice<Where> = [
  "default",
  "Full URLs",
  "Relative paths become URLs in the folder that the dataset was opened from. This is the default.",
];
const RELATIVE: Choice<Where> = ["relative", "Relative paths", "Publish the export in the same folder as its sources."];
const AS_THEY_ARE: Choice<Where> = [
  "default",
  "Paths as they are",
  "Keep the export in the folder that the dataset was opened from. This is the default.",
];
const PREFIX: Choice<Where> = ["prefix", "Sources will lie at …", "A URL takes the place of the folder they are in."];

const choicesOf = (becomeUrls: boolean, isAbsolute: boolean): readonly Choice<Where>[] => {
  if (isAbsolute) return becomeUrls ? [FULL, PREFIX] : [PREFIX];
  return becomeUrls ? [FULL, RELATIVE, PREFIX] : [AS_THEY_ARE, PREFIX];
};

/** Says first what is requested. */
function TryUrl({ set, url }: { readonly set: number; readonly url: string }) {
  const { engine } = useApp();
  const explain = useExplain();
  const { begun, begin, cancel } = useTask<readonly Finding[]>("try-url", `Trying ${url}`, url);
  const { found, error, running = false } = begun ?? {};
  return (
    <>
      <p>
        <Button
          disabled={running}
          onClick={() => begin((options) => engine.call("sources.tryUrl", { set, url }, options))}
        >
          Try it
        </Button>{" "}
        <span className={styles.detail}>Requests two small ranges of this file, to test CORS and ranges.</span>
      </p>
      {running ? <Loading label="Trying" onCancel={cancel} /> : null}
      {error === undefined ? null : <ErrorNotice error={error} />}
      {found === undefined || explain === undefined ? null : (
        <div role="status" className={found.length === 0 ? styles.said : styles.warning}>
          {found.length === 0 ? <p>This page can read it, range by range.</p> : null}
          {found.map((one) => (
            <p key={one.code}>{explain(one).message}</p>
          ))}
        </div>
      )}
    </>
  );
}
