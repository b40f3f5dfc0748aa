/** Says at once what cannot be read from here, before one of its chunks is selected, with the button that helps. */
import { useState } from "react";
import type { Finding } from "#core/findings/finding.ts";
import { outOfReach } from "#core/findings/out-of-reach.ts";
import { hostOfUrl } from "#core/byte-source.ts";
import type { UnreadableTargets } from "#core/open-set.ts";
import { withoutSecrets } from "#core/words/without-secrets.ts";
import { prefixOf } from "#store/file-for-target.ts";
import { useActions, useEngine, useSend } from "#store/react.tsx";
import { FileButton } from "#widgets/controls/FileButton.tsx";
import { countOf, formatCount } from "#widgets/number-format.ts";
import { useExplain } from "#widgets/notes/Notices.tsx";
import { Button, QuietButton } from "#widgets/controls/Button.tsx";
import styles from "./UnreadableBanner.module.css";

export function UnreadableBanner({ set }: { readonly set: number }) {
  const unreadable = useEngine("set.unreadable", { set }).data;
  const silent = useEngine("set.silent", { set }).last?.data ?? [];
  const [first] = silent;
  return (
    <>
      {first === undefined ? null : <SilentHosts first={first} count={silent.length} />}
      {unreadable === undefined ? null : <Unreadable found={unreadable} />}
    </>
  );
}

/** Hosts that are left alone: nothing was lost by it. */
function SilentHosts({ first, count }: { readonly first: Finding; readonly count: number }) {
  const actions = useActions();
  const explain = useExplain();
  const target = first.place.kind === "target" ? first.place.target : "";
  const others = count === 1 ? "" : ` and ${countOf(count - 1, "other host")}`;
  const isRefusing = first.code === "cors-missing";
  return (
    <div className={styles.banner} role="status" aria-label="Hosts that do not respond">
      <p title={explain?.(first).message}>
        <b>
          {hostOfUrl(target)}
          {others} {isRefusing ? "cannot be read by pages of other sites (CORS)." : "cannot be reached."}
        </b>{" "}
        Its chunks are shown as not read.
      </p>
      <span className="small-buttons">
        <Button onClick={() => void actions.retry()}>Retry</Button>
        <ReadElsewhere target={target} many />
      </span>
    </div>
  );
}

function Unreadable({ found }: { readonly found: UnreadableTargets }) {
  const actions = useActions();
  const explain = useExplain();
  const [dismissed, setDismissed] = useState(0);
  const [first] = found.examples;
  if (first === undefined || found.count <= dismissed) return null;
  const { target, finding } = first;
  const isPrivate = finding.code === "target-private-address";
  return (
    <div className={styles.banner} role="status" aria-label="Sources that cannot be read here">
      <p title={withoutSecrets(explain?.(finding).message ?? "")}>
        <b>{unreadableWords(found, isPrivate)}</b>
        <code>{target === null ? "null URLs" : withoutSecrets(target)}</code>
      </p>
      <span className="small-buttons">
        {isPrivate ? <Button onClick={() => void actions.allowPrivate()}>Allow private addresses</Button> : null}
        <ReadElsewhere target={target} many={found.count > 1} />
        <QuietButton onClick={() => setDismissed(found.count)}>Dismiss</QuietButton>
      </span>
    </div>
  );
}

function ReadElsewhere({ target, many }: { readonly target: string | null; readonly many: boolean }) {
  const actions = useActions();
  const send = useSend();
  return (
    <>
      <FileButton
        text={many ? "Choose files…" : "Choose file…"}
        multiple={many}
        title="Reads them from files of this computer; several are matched by their names"
        onFiles={(files) => {
          const [file] = files;
          if (!many && file !== undefined) void actions.chooseFileFor(target, file);
          else void actions.addFiles(files.map((blob) => ({ path: blob.name, blob })));
        }}
      />
      <Button onClick={() => send({ kind: "show-locations", prefix: target === null ? undefined : prefixOf(target) })}>
        {target === null ? "Locations…" : "Map prefix…"}
      </Button>
    </>
  );
}

function unreadableWords({ count, lookedAt, of, examples }: UnreadableTargets, isPrivate: boolean): string {
  if (count === 1 && isPrivate)
    return `${of === 1 ? "The only source" : "One source"} is at a private address, which needs your permission: `;
  const [first] = examples;
  const isAbsent = first !== undefined && outOfReach(first.finding) === "absent";
  const what = isAbsent ? `${count === 1 ? "is" : "are"} missing` : "cannot be read here";
  if (of === 1) return `The only source file ${what}: `;
  const among = lookedAt < of ? `the first ${countOf(lookedAt, "source file")}` : countOf(of, "source file");
  const all = count === of ? countOf(of, "source file") : `${formatCount(count)} of ${among}`;
  return `${all} ${what}${count === 1 ? ": " : ", such as "}`;
}
