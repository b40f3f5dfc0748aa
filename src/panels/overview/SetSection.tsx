import type { SetSummary } from "../../core/open-set.ts";
import { recognitionWords } from "../../core/recognition-words.ts";
import type { ShownRef } from "../../core/repository.ts";
import { ByteSize } from "../../widgets/ByteSize.tsx";
import { CopyButton } from "../../widgets/CopyButton.tsx";
import { DefinitionList, type Definition } from "../../widgets/DefinitionList.tsx";
import { countOf, formatCount, formatDuration } from "../../widgets/number-format.ts";
import { useActions } from "../../store/react.tsx";
import { PagesNote, type PagesNoteProps } from "../../widgets/PagesNote.tsx";
import { Card } from "./Card.tsx";
import styles from "./SetSection.module.css";

/** What was opened. */
export function SetSection({ set }: { readonly set: SetSummary }) {
  const actions = useActions();
  const load = () => {
    void actions.loadPages("");
  };
  return (
    <Card title="Reference set">
      <div className={styles.facts}>
        <DefinitionList items={setFacts(set, load)} />
      </div>
    </Card>
  );
}

function setFacts(set: SetSummary, load: () => void): readonly Definition[] {
  const soFar = isComplete(set) ? "" : " so far";
  return [
    { term: "Name", description: set.name, title: set.name },
    ...(set.url === undefined ? [] : [{ term: "Opened from", description: <Address url={set.url} /> }]),
    { term: "Format", description: set.format },
    { term: "Recognised by", description: <Recognised by={recognitionWords(set.recognised)} /> },
    ...(set.repository === undefined
      ? []
      : [{ term: "Snapshot shown", description: <ShownSnapshot shown={set.repository.shown} /> }]),
    ...(set.pages === undefined
      ? []
      : [{ term: "Known so far", description: <Known pages={set.pages} onLoad={load} /> }]),
    { term: set.words.heading, description: keyWords(set, soFar) },
    { term: "Hierarchy", description: `${countOf(set.arrays, "array")} in ${countOf(set.groups, "group")}` },
    {
      term: "Bytes referenced",
      description: (
        <>
          <ByteSize bytes={set.bytesReferenced} />
          {set.targets === 0 ? "" : ` in ${countOf(set.targets, "target")}`}
          {soFar}
        </>
      ),
    },
    { term: set.words.source, description: <DocumentSize set={set} /> },
    {
      term: "Opening",
      description: (
        <>
          took {formatDuration(set.openMilliseconds)}; the references use <ByteSize bytes={set.tableBytes} /> of memory
        </>
      ),
    },
  ];
}

const isComplete = ({ pages }: SetSummary): boolean => pages === undefined || pages.loaded === pages.count;

function keyWords(set: SetSummary, soFar: string): string {
  const { references, chunkReferences, metadataKeys, words } = set;
  if (!words.countsMetadata)
    return `${formatCount(chunkReferences)} there${soFar}, ${countOf(metadataKeys, "metadata key")}`;
  const parts = `${formatCount(chunkReferences)} of chunks, ${formatCount(metadataKeys)} of metadata`;
  return `${countOf(references, "key")}, as Python counts them: ${parts}`;
}

function Recognised({ by }: { readonly by: string }) {
  const actions = useActions();
  return (
    <>
      {by}{" "}
      <button
        type="button"
        data-kind="link"
        onClick={() => {
          void actions.openOtherwise();
        }}
      >
        Open as something else…
      </button>
    </>
  );
}

/** Which snapshot of the repository, and the way to the others. */
function ShownSnapshot({ shown }: { readonly shown: ShownRef }) {
  const actions = useActions();
  return (
    <span className={styles.snapshot}>
      {shown.kind === "snapshot" ? "" : `${shown.kind} ${shown.name}, `}
      <code>{shown.snapshot}</code>
      <CopyButton text={shown.snapshot} what="snapshot id" />
      <button
        type="button"
        data-kind="link"
        onClick={() => {
          actions.showView("history");
        }}
      >
        Branches, tags and history
      </button>
    </span>
  );
}

function Known({ pages, onLoad }: PagesNoteProps) {
  return pages.loaded === pages.count ? "all references" : <PagesNote pages={pages} onLoad={onLoad} />;
}

function Address({ url }: { readonly url: string }) {
  return (
    <span className={styles.address}>
      <code title={url}>{url}</code>
      <CopyButton text={url} what="URL" />
    </span>
  );
}

function DocumentSize({ set }: { readonly set: SetSummary }) {
  if (set.bytesReceived === set.documentBytes) return <ByteSize bytes={set.documentBytes} />;
  return (
    <>
      <ByteSize bytes={set.documentBytes} />, received as <ByteSize bytes={set.bytesReceived} />
    </>
  );
}
