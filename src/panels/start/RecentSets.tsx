/** Sets that were opened by address before. */
import { useState } from "react";
import { useActions } from "../../store/react.tsx";
import { forgetAllRecentSets, forgetRecentSet, recentSets, type RecentSet } from "../../store/recent-sets.ts";
import { timeAgo } from "./time-ago.ts";
import start from "./StartPanel.module.css";
import styles from "./RecentSets.module.css";

const WHEN = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });

/** Nothing where nothing is kept. */
export function RecentSets() {
  const [sets, setSets] = useState(recentSets);
  const [now] = useState(() => Date.now());
  if (sets.length === 0) return null;
  return (
    <section className={start.section} aria-label="Recent sets">
      <div className={start.sectionHead}>
        <h2>Recent</h2>
        <span>kept in this browser</span>
        <button
          type="button"
          data-kind="link"
          className={styles.all}
          onClick={() => {
            forgetAllRecentSets();
            setSets([]);
          }}
        >
          Forget all
        </button>
      </div>
      <ul className={styles.list}>
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
    <li className={styles.line}>
      <div className={styles.what}>
        <button
          type="button"
          data-kind="quiet"
          className={styles.open}
          title={url}
          onClick={() => {
            void actions.open({ kind: "url", url }, choice === undefined ? {} : { set: choice });
          }}
        >
          {name}
        </button>
        <p className={styles.address} title={url}>
          {url.replace(/^https?:\/\//, "")}
        </p>
        <p className={styles.facts}>
          {format} · <time title={WHEN.format(when)}>{timeAgo(when, now)}</time>
        </p>
      </div>
      <button
        type="button"
        data-kind="quiet"
        className={styles.forget}
        aria-label={`Forget ${name}`}
        onClick={onForget}
      >
        Forget
      </button>
    </li>
  );
}
