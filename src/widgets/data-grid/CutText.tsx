/** Texts that are cut where they tell least. */
import { shownTarget } from "#core/words.ts";
import styles from "./CutText.module.css";

/** Cut at its start: keys of one array differ at their end. */
export function CutKey({ text, title = text }: { readonly text: string; readonly title?: string }) {
  return (
    <span className={styles.key} title={title}>
      <bdi dir="ltr">{text}</bdi>
    </span>
  );
}

/** Both ends of the URL stay in sight, its middle is cut where it does not fit. */
export function CutUrl({ url }: { readonly url: string }) {
  const shown = shownTarget(url);
  const { head, tail } = splitTarget(shown);
  return (
    <span className={styles.url} title={shown}>
      <span className={styles.head}>{head}</span>
      <span className={styles.tail}>
        <bdi dir="ltr">{tail}</bdi>
      </span>
    </span>
  );
}

/** A target cut so that its end, which tells files apart, stays in sight. */
export function splitTarget(url: string): { readonly head: string; readonly tail: string } {
  // How data end says nothing.
  if (url.startsWith("data:")) return { head: url, tail: "" };
  const LONGEST_TAIL = 36;
  const slash = url.lastIndexOf("/", url.length - 2);
  const at = Math.max(slash, url.length - LONGEST_TAIL, 0);
  return { head: url.slice(0, at), tail: url.slice(at) };
}
