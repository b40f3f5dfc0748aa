/** Cost of a data file's metadata for a reader that fetches it by ranges, and the effect of repacking. */
import type { ReactNode } from "react";
import type { FileLayout } from "#core/source-file.ts";
import type { Traffic } from "#core/file-bytes.ts";
import { useEngine } from "#store/react.tsx";
import { ByteSize } from "#widgets/notes/marks.tsx";
import { CopyButton } from "#widgets/controls/Button.tsx";
import { Unanswered } from "#widgets/notes/Notices.tsx";
import { countOf, formatBytes, formatCount, formatShare } from "#widgets/number-format.ts";
import styles from "./AfarPart.module.css";

const CANCELLED = ["Counting requests was cancelled", "Count them"] as const;

export function AfarPart({ set }: { readonly set: number }) {
  const layout = useEngine("sources.layout", { set }).data;
  const answer = useEngine("sources.traffic", { set });
  if (layout === undefined) return null;
  const { metadata, structures, places, span, size } = layout;
  const traffic = answer.data;
  return (
    <>
      <dl className={styles.figures}>
        {traffic === undefined ? null : (
          <>
            <Figure term="Requests before the first value">{formatCount(traffic.requests)}</Figure>
            <Figure term="Sequential round trips">{formatCount(traffic.rounds)}</Figure>
          </>
        )}
        <Figure term="Metadata">
          <ByteSize bytes={metadata} /> in {countOf(structures, "structure")}
        </Figure>
        <Figure term="Metadata in">
          {countOf(places, "place")} across {formatShare(span[1] - span[0], size)} of the file
        </Figure>
      </dl>
      {answer.data === undefined && answer.error === undefined && answer.stale ? (
        <Unanswered answer={answer} label="Counting requests" cancelled={CANCELLED} />
      ) : null}
      <p className={styles.note}>
        {traffic === undefined
          ? "Requests were not counted. A reader needs the metadata before the first value; each chunk adds one request."
          : "Requests needed to locate all chunks; each chunk adds one."}
      </p>
      <Repacking layout={layout} traffic={traffic} />
    </>
  );
}

function Figure({ term, children }: { readonly term: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Pages that are read at once. */
const AT_ONCE = 8 * 1024 ** 2;

function Repacking({
  layout: { page, places },
  traffic,
}: {
  readonly layout: FileLayout;
  readonly traffic: Traffic | undefined;
}) {
  if (page === undefined && places > 1) return null;
  if (page === undefined)
    return <p className={styles.note}>Its metadata is together in one place: repacking would gain little.</p>;
  const command = `h5repack -S PAGE -G ${page} in.nc out.nc`;
  const instead = traffic === undefined ? "" : ` instead of ${traffic.requests}`;
  return (
    <>
      <p className={styles.note}>
        Repacked with pages of {formatBytes(page)}, all its metadata is in one place
        {page > AT_ONCE ? "" : `: 1 or 2 requests${instead}`}. Readers then need HDF5 1.10 or later.
      </p>
      <p className={styles.command}>
        <code>{command}</code>
        <CopyButton text={command} what="command" />
      </p>
    </>
  );
}
