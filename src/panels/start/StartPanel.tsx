import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import { Pending, useActions, useAppState } from "../../store/react.tsx";
import { forgetAllRecentSets, forgetRecentSet, type RecentSet, recentSets } from "../../store/recent-sets.ts";
import { Loading } from "../../widgets/notes/Loading.tsx";
import { Logo } from "../../widgets/Logo.tsx";
import { LinkButton, QuietButton } from "../../widgets/controls/Button.tsx";
import recentSetsStyles from "./RecentSets.module.css";
import { Samples } from "./Samples.tsx";
import styles from "./StartPanel.module.css";

// Sets that were opened by address before, and how long ago that was.

const UNITS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

const WORDS = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

export function timeAgo(when: number, now: number): string {
  const past = Math.max(0, now - when);
  const unit = UNITS.find(([, length]) => past >= length);
  return unit === undefined ? "just now" : WORDS.format(-Math.floor(past / unit[1]), unit[0]);
}

const WHEN = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });

/** Nothing where nothing is kept. */
function RecentSets() {
  const [sets, setSets] = useState(recentSets);
  const [now] = useState(() => Date.now());
  if (sets.length === 0) return null;
  return (
    <section className={styles.section} aria-label="Recent datasets">
      <div className={styles.sectionHead}>
        <h2>Recent</h2>
        <span>kept in this browser</span>
        <LinkButton
          className={recentSetsStyles.all}
          onClick={() => {
            forgetAllRecentSets();
            setSets([]);
          }}
        >
          Forget all
        </LinkButton>
      </div>
      <ul className={recentSetsStyles.list}>
        {sets.map((set) => (
          <RecentLine
            key={`${set.url} ${set.choice ?? ""}`}
            set={set}
            now={now}
            onForget={() => {
              forgetRecentSet(set);
              setSets(recentSets());
            }}
          />
        ))}
      </ul>
    </section>
  );
}

interface RecentLineProps {
  readonly set: RecentSet;
  readonly now: number;
  readonly onForget: () => void;
}

function RecentLine({ set, now, onForget }: RecentLineProps) {
  const actions = useActions();
  const { name, url, choice, format, when } = set;
  return (
    <li className={recentSetsStyles.line}>
      <div className={recentSetsStyles.what}>
        <QuietButton
          className={recentSetsStyles.open}
          title={url}
          onClick={() => void actions.open({ kind: "url", url }, choice === undefined ? {} : { set: choice })}
        >
          {name}
        </QuietButton>
        <p className={recentSetsStyles.address} title={url}>
          {url.replace(/^https?:\/\//, "")}
        </p>
        <p className={recentSetsStyles.facts}>
          {format} · <time title={WHEN.format(when)}>{timeAgo(when, now)}</time>
        </p>
      </div>
      <QuietButton className={recentSetsStyles.forget} aria-label={`Forget ${name}`} onClick={onForget}>
        Forget
      </QuietButton>
    </li>
  );
}

const LOADING = "Loading the public stores";

/** Lies below what is seen first. */
const Gallery = lazy(async () => {
  const { Gallery } = await import("./Gallery.tsx");
  return { default: Gallery };
});

export interface StartPanelProps {
  /** The form with the ways to open a set. */
  readonly children: ReactNode;
  /** Why the last attempt failed. */
  readonly notice: ReactNode;
  /** What can be done besides opening a set. */
  readonly bar: ReactNode;
  /** Below the recent sets. */
  readonly more?: ReactNode;
}

/** What is shown while nothing is open: what this is, how to begin, what it does with your data. */
export function StartPanel({ children, notice, bar, more }: StartPanelProps) {
  const begin = useShownWhenFailed();
  return (
    <main className={styles.page}>
      <div className={styles.bar}>
        <p className={styles.brand}>
          <Logo />
          Refscope
        </p>
        {bar}
      </div>
      <div className={styles.column}>
        <header>
          <h1 className={styles.title}>See every chunk and where it comes from</h1>
          <p className={styles.what}>
            Open a virtual Zarr dataset to see its data, each chunk's request and decoding steps, and any problems.
          </p>
        </header>
        <section ref={begin} className={styles.begin} aria-label="Open a dataset">
          {children}
          {notice}
        </section>
        <RecentSets />
        {more}
        <Samples />
        <Suspense
          fallback={
            <Pending label={LOADING}>
              <Loading label={LOADING} />
            </Pending>
          }
        >
          <Gallery />
        </Suspense>
        <Facts />
      </div>
    </main>
  );
}

/** Why something could not be opened stands at the top, what was chosen perhaps far below. */
function useShownWhenFailed() {
  const begin = useRef<HTMLElement>(null);
  const failed = useAppState((state) => state.openError);
  useEffect(() => {
    if (failed !== undefined) begin.current?.scrollIntoView({ block: "nearest" });
  }, [failed]);
  return begin;
}

/** What it opens, what becomes of your data, what a browser cannot do. */
function Facts() {
  return (
    <div className={styles.facts}>
      <Fact title="What opens today">
        <p>
          Kerchunk JSON, Version 0 and Version 1, plain or compressed (<code>.gz</code>, <code>.zst</code>), with
          templates and <code>gen</code> rendered as Python's stack renders them, and an editor with the result beside
          it. Kerchunk Parquet. Zarr v2 and v3 stores, with the map of each shard, unequal chunks drawn to scale, and
          chunk manifests.
        </p>
        <p>
          By URL, as dropped files or a dropped folder, or in a ZIP archive, local or remote. Any chunk is decoded as
          Python decodes it, GRIB messages and images of TIFF among them, and its decoding can be changed in a trial.
          Icechunk repositories open at any branch, tag or snapshot, with their history and what changed between two
          snapshots.
        </p>
      </Fact>
      <Fact title="Your data stays with you">
        <p>
          Everything happens in this tab. Nothing is uploaded; the only requests are those you cause: for the dataset,
          and for the bytes of the chunks shown, from the sources it names. Small previews load automatically; Refscope
          shows the cost before reading more.
        </p>
        <p>
          This browser keeps the name, URL, format and time of datasets that you opened by URL, until you forget them.
          It does not keep local files, pasted text or URLs with credentials: only a dataset with a URL can be opened
          again.
        </p>
      </Fact>
      <Fact title="What a browser cannot do">
        <p>
          Servers must allow other pages to read from them (CORS), and to answer range requests. Where one does not,
          Refscope says so; download the file and drop it here together with the reference set instead.
        </p>
      </Fact>
    </div>
  );
}

function Fact({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className={styles.fact}>
      <h2 className={styles.factTitle}>{title}</h2>
      {children}
    </section>
  );
}
