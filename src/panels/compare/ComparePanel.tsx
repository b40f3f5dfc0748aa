/** The open set (A) compared with another (B), which is opened for it and not shown. */
import { type ReactNode, useEffect, useId, useState } from "react";
import { failure, type Finding, targetAt } from "#core/findings/finding.ts";
import { SAMPLES } from "#core/gallery/samples.ts";
import type { LocalFile, OpenSource, SetChoice, SetSummary } from "#core/open-set.ts";
import type { NamedRef } from "#core/repository.ts";
import { besidesWords, valuesTitle, verdictOf } from "#core/words/set-differences-words.ts";
import { absoluteUrl } from "#store/app-store.ts";
import { useTask } from "#store/hooks/use-task.ts";
import { isPrivateLink } from "#store/open-actions.ts";
import { useActions, useApp, useAppState, useEngine } from "#store/react.tsx";
import { recentSets } from "#store/recent-sets.ts";
import type { ComparedWith } from "#store/state.ts";
import { Button, Form, LinkButton, TextField } from "#widgets/controls/Button.tsx";
import { bestMatches } from "#widgets/controls/fuzzy.ts";
import { PickList } from "#widgets/controls/PickList.tsx";
import { countOf } from "#widgets/number-format.ts";
import { FileButton } from "#widgets/controls/FileButton.tsx";
import { EmptyState, ErrorNotice, Loading } from "#widgets/notes/Notices.tsx";
import tables from "#widgets/changes/ChangeTables.module.css";
import styles from "./ComparePanel.module.css";
import { Differences } from "./Differences.tsx";
import { type ComparedValues, useComparedValues } from "./use-compared-values.ts";

export function ComparePanel() {
  const set = useAppState((state) => state.set);
  const withSet = useAppState((state) => state.withSet);
  const { actions, engine } = useApp();
  const found = withSet?.found?.of === set?.id ? withSet?.found : undefined;
  const values = useComparedValues(set?.id, found?.other.id);
  if (set === undefined) return null;
  const leave = () => {
    actions.compareWith(undefined);
    // A set that was closed meanwhile has forgotten it.
    engine.call("compare.forget", { set: set.id }).catch(() => undefined);
  };
  const name = withSet && datasetName(withSet);
  const answer =
    found &&
    (valuesTitle(values.results, found.differences.arrays.length) ??
      (values.begun?.running === true ? "Comparing values…" : verdictOf(found.differences)));
  return (
    <section aria-label="Compare" className={tables.panel}>
      <header className="grid gap-10">
        <h2 className={tables.title}>{answer ?? "Compare with another dataset"}</h2>
        {found === undefined || answer === verdictOf(found.differences) ? null : (
          <p className="quiet if-any">{besidesWords(found.differences, values.results)}</p>
        )}
        <dl className={styles.sides}>
          <Side side="A" name={set.name} place={set.url} />
          {withSet === undefined || name === undefined ? null : (
            <Side side="B" name={found?.other.name ?? name} place={found?.other.url ?? datasetAddress(withSet)}>
              {" "}
              <LinkButton onClick={leave}>Choose another</LinkButton>
            </Side>
          )}
        </dl>
      </header>
      {withSet === undefined ? <Chooser set={set} /> : <With key={`${set.id} ${name}`} {...{ set, withSet, values }} />}
    </section>
  );
}

interface SideProps {
  readonly side: string;
  readonly name: string;
  readonly place: string | undefined;
  readonly children?: ReactNode;
}

function Side({ side, name, place, children }: SideProps) {
  return (
    <div>
      <dt>{side}</dt>
      <dd title={place}>
        <b>{name}</b> {place === undefined || place === name ? null : <span className={styles.place}>{place}</span>}
        {children}
      </dd>
    </div>
  );
}

function datasetName({ source, choice = "" }: ComparedWith): string {
  if (source.kind === "url") return `${source.url}${choice === "" ? "" : ` ${choice}`}`;
  if (source.kind === "text") return source.name;
  const [first, ...more] = source.files;
  return `${first?.path ?? ""}${more.length === 0 ? "" : ` and ${more.length} more`}`;
}

const datasetAddress = ({ source }: ComparedWith): string | undefined =>
  source.kind === "url" ? source.url : "dropped files";

const picked = (files: readonly File[]): readonly LocalFile[] =>
  files.map((file) => ({ path: file.webkitRelativePath || file.name, blob: file }));

/** Chooses a dataset by address, files, or one that was open before. */
function Chooser({ set }: { readonly set: SetSummary }) {
  const actions = useActions();
  const id = useId();
  const [text, setText] = useState("");
  const recent = recentSets().filter(({ url }) => url !== set.url);
  const samples = SAMPLES.map(({ title, detail, address }) => ({
    name: title,
    url: absoluteUrl(address),
    format: detail,
  }));
  const choose = (source: OpenSource, choice?: string) =>
    actions.compareWith({ source, ...(choice === undefined ? {} : { choice }) });
  const url = text.trim();
  return (
    <div className={styles.chooser}>
      <Form
        className={tables.form}
        onSubmit={() => {
          if (url !== "") choose({ kind: "url", url: absoluteUrl(url) });
        }}
      >
        <label className="quiet" htmlFor={id}>
          URL of the other dataset
        </label>
        <TextField
          id={id}
          value={text}
          inputMode="url"
          placeholder="https://… or s3://bucket/references.json"
          onChange={({ target }) => setText(target.value)}
        />
        <button type="submit" data-kind="primary" disabled={url === ""}>
          Compare
        </button>
      </Form>
      <div className={tables.form}>
        <FileButton
          text="Choose files…"
          multiple
          onFiles={(files) => choose({ kind: "files", files: picked(files) })}
        />
        <FileButton text="Choose folder…" folder onFiles={(files) => choose({ kind: "files", files: picked(files) })} />
        <span className={tables.note}>
          Drop a dataset here. Compares groups, metadata, references and values, in any format.
        </span>
      </div>
      <Offers title="Other states of this repository" offers={useRefs(set)} onOffer={choose} />
      <Offers title="Opened before" offers={recent} onOffer={choose} />
      <Offers title="Samples" offers={samples.filter(({ url }) => url !== set.url)} onOffer={choose} />
    </div>
  );
}

interface Offer {
  readonly name: string;
  readonly url: string;
  readonly choice?: string | undefined;
  readonly format: string;
}

interface OffersProps {
  readonly title: string;
  readonly offers: readonly Offer[];
  readonly onOffer: (source: OpenSource, choice?: string) => void;
}

function Offers({ title, offers, onOffer }: OffersProps) {
  if (offers.length === 0) return null;
  return (
    <div className={styles.chooser}>
      <h3>{title}</h3>
      <ul>
        {offers.map(({ name, url, choice, format }) => (
          <li key={`${url} ${choice}`}>
            <LinkButton title={url} onClick={() => onOffer({ kind: "url", url }, choice)}>
              {name}
            </LinkButton>{" "}
            <span className="quiet">{format}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Branches and tags that are listed. */
const MOST_REFS = 20;

/** Branches and tags of the open repository, but for the one that is shown. */
function useRefs({ id, url, repository }: SetSummary): readonly Offer[] {
  const history = useEngine(
    "repository.history",
    url === undefined || repository === undefined ? undefined : { set: id },
  );
  const { branches = [], tags = [] } = history.data ?? {};
  const plain = url?.split("|", 1)[0];
  const named = (kind: "branch" | "tag") => (ref: NamedRef) => ({ ...ref, kind });
  return [...branches.map(named("branch")), ...tags.map(named("tag"))]
    .filter(({ snapshot }) => snapshot !== repository?.shown.snapshot)
    .slice(0, MOST_REFS)
    .map(({ name, kind }) => ({ name, url: `${plain}|icechunk:@${kind}.${encodeURIComponent(name)}`, format: kind }));
}

type Outcome = { readonly title: string; readonly choices: readonly SetChoice[] } | undefined;

interface WithProps {
  readonly set: SetSummary;
  readonly withSet: ComparedWith;
  readonly values: ComparedValues;
}

/** Opens the other set and compares, where that was not done yet. */
function With({ set, withSet, values }: WithProps) {
  const { actions, engine, store } = useApp();
  const { source, choice } = withSet;
  const found = withSet.found?.of === set.id ? withSet.found : undefined;
  const task = useTask<Outcome>("compare", "Comparing two datasets", String(set.id));
  const isAllowed = useAppState(({ locations }) => locations.allowPrivate);
  const refused = refusalOf(withSet, set, isAllowed);
  const { begin } = task;
  const compare = () =>
    begin(async (options) => {
      const { locations, maxGenerated: most } = store.getState();
      const from = source.kind === "url" ? { ...source, url: absoluteUrl(source.url) } : source;
      const request = {
        source: from,
        locations,
        most,
        paths: [],
        ask: false,
        ...(choice === undefined ? {} : { choice }),
      };
      const opened = await engine.call("set.open", request, options);
      if (opened.kind === "choose") return opened;
      const other = opened.set;
      const differences = await engine
        .call("compare.sets", { set: set.id, other: other.id }, options)
        .catch((error) => {
          void engine.call("set.close", { set: other.id }).catch(() => undefined);
          throw error;
        });
      const now = store.getState();
      if (now.set?.id === set.id && now.withSet === withSet)
        actions.compareWith({ ...withSet, found: { of: set.id, other, differences } });
      return undefined;
    });
  const isWanted = found === undefined && refused === undefined;
  useEffect(() => {
    if (isWanted) compare();
    // Runs once for this pair: another pair has a key of its own.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isWanted]);
  if (found !== undefined) return <Differences {...{ set, found, values }} />;
  if (refused !== undefined)
    return (
      <ErrorNotice error={refused}>
        <Button onClick={() => actions.compareWith({ source })}>Open it</Button>
      </ErrorNotice>
    );
  const { error, found: outcome, running, progress } = task.begun ?? {};
  if (error !== undefined) return <ErrorNotice error={error} onRetry={compare} />;
  if (outcome !== undefined)
    return <Choices {...outcome} onChoice={(id) => actions.compareWith({ source, choice: id })} />;
  if (running === true) return <Loading label="Comparing" progress={progress} onCancel={task.cancel} />;
  return (
    <EmptyState title="Not compared">
      <Button onClick={compare}>Compare</Button>
    </EmptyState>
  );
}

/** Links are untrusted: one that leads into a private network is asked about first, as where it is to be opened. */
export function refusalOf(
  { source, linked }: ComparedWith,
  set: Pick<SetSummary, "url">,
  isAllowed: boolean,
  page = document.baseURI,
): Finding | undefined {
  if (linked !== true || source.kind !== "url" || isAllowed) return undefined;
  const url = absoluteUrl(source.url);
  const host = URL.canParse(url) ? new URL(url).host : "";
  const isKnown = set.url !== undefined && URL.canParse(set.url) && new URL(set.url).host === host;
  if (isKnown || !isPrivateLink(url, page)) return undefined;
  return failure("link-private-address", targetAt(url), { host }).finding;
}

function Choices({ title, choices, onChoice }: NonNullable<Outcome> & { readonly onChoice: (id: string) => void }) {
  return (
    <div className={styles.chooser}>
      <h3>{title}</h3>
      <PickList
        label="Choices"
        placeholder={`Search ${countOf(choices.length, "choice")}…`}
        itemsFor={(query) => bestMatches(choices, query, ({ label, detail }) => `${label} ${detail}`, choices.length)}
        nothing="Nothing matches. Clear the field to see all of them."
        onPick={onChoice}
      />
    </div>
  );
}
