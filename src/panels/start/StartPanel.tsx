import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import { Pending, useActions, useAppState } from "#store/react.tsx";
import { FREE_READING, UNASKED_BYTES } from "#core/plane/plane-budget.ts";
import { forgetAllRecentSets, forgetRecentSet, type RecentSet, recentSets, type SeenSet } from "#store/recent-sets.ts";
import { VIEWS } from "#store/views.ts";
import { Icon, Logo } from "#widgets/Icon.tsx";
import { formatBytes } from "#widgets/number-format.ts";
import { Loading } from "#widgets/notes/Notices.tsx";
import { LinkButton, QuietButton } from "#widgets/controls/Button.tsx";
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
    <section className="stack gap-8" aria-label="Recent datasets">
      <div className="flex baseline gap-8">
        <h2 className="heading">Recent</h2>
        <span className="faint fine">kept in this browser</span>
        <LinkButton
          className="aside"
          onClick={() => {
            forgetAllRecentSets();
            setSets([]);
          }}
        >
          Forget all
        </LinkButton>
      </div>
      <ul className={styles.list}>
        {sets.map((set) => (
          <RecentCard
            key={`${set.url} ${set.choice ?? ""}`}
            set={set}
            isAmbiguous={sets.filter(({ name }) => name === set.name).length > 1}
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

interface RecentCardProps {
  readonly set: RecentSet;
  /** Another one is called the same. */
  readonly isAmbiguous: boolean;
  readonly now: number;
  readonly onForget: () => void;
}

const SIGNS: Readonly<Record<SeenSet["tone"], string>> = {
  bad: "M3 3l6 6M9 3l-6 6",
  ok: "M2.5 6.5l2.5 2.5l4.5-5.5",
  unknown: "M6 1.5a4.5 4.5 0 1 1 0 9a4.5 4.5 0 1 1 0-9",
};

/** How it was left: its picture, its health, where one was. It opens there again. */
function RecentCard({ set, isAmbiguous, now, onForget }: RecentCardProps) {
  const actions = useActions();
  const { name, url, choice, format, when, seen } = set;
  const at = seen === undefined ? {} : { array: seen.node, view: seen.view };
  const place = seen === undefined ? [] : [...(seen.node === "" ? [] : [seen.node]), VIEWS[seen.view].label];
  return (
    <li className={styles.card} title={url}>
      <div className={styles.picture} aria-hidden="true">
        {seen?.picture === undefined ? null : <img src={seen.picture} alt="" />}
      </div>
      <div className={`narrow ${styles.recentWhat}`}>
        <QuietButton
          className={styles.open}
          onClick={() => void actions.open({ kind: "url", url }, { ...at, ...(choice && { set: choice }) })}
        >
          {name}
        </QuietButton>
        {isAmbiguous ? <p>{url.replace(/^https?:\/\//, "")}</p> : null}
        <p data-tone={seen?.tone ?? "unknown"}>
          <Icon path={SIGNS[seen?.tone ?? "unknown"]} /> {seen?.health ?? format}
        </p>
        <p className={styles.place}>
          {place.length === 0 ? "" : `${place.join(", ")} · `}
          <time title={WHEN.format(when)}>{timeAgo(when, now)}</time>
        </p>
      </div>
      <QuietButton className={styles.forget} aria-label={`Forget ${name}`} title="Forget" onClick={onForget}>
        <Icon path="M3 3l6 6M9 3l-6 6" />
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
  /** Actions besides opening a dataset. */
  readonly bar: ReactNode;
  /** Below the recent sets. */
  readonly more?: ReactNode;
}

/** The page while nothing is open: what this is, how to begin, what it does with your data. */
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
          <h1 className={styles.title}>See every chunk, and where it comes from</h1>
          <p className={styles.what}>
            Open a virtual Zarr dataset, or an HDF5, NetCDF or GRIB file: its data as a picture, how each chunk is
            requested and decoded, and what is wrong.
          </p>
        </header>
        <section ref={begin} className="stack gap-12" aria-label="Open a dataset">
          {children}
          {notice}
        </section>
        <RecentSets />
        {more}
        {document.documentElement.dataset["samples"] === "none" ? null : <Samples />}
        <Suspense
          fallback={
            <Pending label={LOADING}>
              <Loading label={LOADING} />
            </Pending>
          }
        >
          <Gallery />
          <Facts />
        </Suspense>
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

/** Facts on the treatment of your data, and on the limits of a browser. */
function Facts() {
  return (
    <div className={styles.facts}>
      <p>
        Nothing is uploaded. Requests go only to the dataset that you open and the sources it names. Previews load
        automatically (up to {formatBytes(UNASKED_BYTES)} per dataset). Refscope asks before reading more than{" "}
        {formatBytes(FREE_READING.bytes)}.
      </p>
      <p>
        This browser keeps the name, URL, format, health, last view and a small picture of each dataset that you opened
        by URL, until you forget it; never local files, pasted text or URLs with credentials.
      </p>
      <p>
        Servers must let other pages read from them (CORS) and answer range requests. Where one does not, download the
        file and drop it here together with the reference file.
      </p>
    </div>
  );
}
