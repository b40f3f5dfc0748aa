import { shownTarget } from "../../core/words/shown-target.ts";
import styles from "./TargetGrid.module.css";

/** A URL that is cut before its last part, which tells it apart. */
export function TargetName({ target }: { readonly target: string | null }) {
  if (target === null) return <span title="What null URLs mean: see Locations">null URL</span>;
  const shown = shownTarget(target);
  const [head, tail] = partsOf(shown);
  return (
    <span className={styles.url} title={shown}>
      <span className={styles.urlHead}>{head}</span>
      <span className={styles.urlTail}>
        <bdi dir="ltr">{tail === "" ? "(empty)" : tail}</bdi>
      </span>
    </span>
  );
}

function partsOf(url: string): readonly [head: string, tail: string] {
  const at = Math.max(url.lastIndexOf("/", url.length - 2) + 1, url.length - 48, 0);
  return [url.slice(0, at), url.slice(at)];
}
