/** What replacing a prefix would do, before it is done. */
import type { PrefixClash, PrefixPreview } from "../../core/studio.ts";
import { countOf, formatCount } from "../../widgets/number-format.ts";
import styles from "./ReplacePrefix.module.css";

export function PrefixPreviewPart({ found }: { readonly found: PrefixPreview }) {
  const { targets, ofTargets, references, examples, merged, respelled } = found;
  if (references === 0) return <p role="status">No URL begins with it as written, so nothing would change.</p>;
  return (
    <section aria-label="Preview" className={styles.preview}>
      <p role="status">
        <b>
          {formatCount(targets)} of {countOf(ofTargets, "target")}
        </b>{" "}
        and <b>{countOf(references, "reference")}</b> would change.
      </p>
      <Clash
        clash={merged}
        words={(count) => `${countOf(count, "target")} would get a URL that another one has: two files would be one.`}
      />
      <Clash
        clash={respelled}
        words={(count) =>
          `${countOf(count, "target")} would get another spelling of a URL that stays: one file would be two targets.`
        }
      />
      <table className={styles.examples}>
        <thead>
          <tr>
            <th scope="col">Before</th>
            <th scope="col">After</th>
            <th scope="col">References</th>
          </tr>
        </thead>
        <tbody>
          {examples.map(({ before, after, references: count }) => (
            <tr key={`${before} ${after}`}>
              <td title={before}>
                <bdi dir="ltr">{before}</bdi>
              </td>
              <td title={after}>
                <bdi dir="ltr">{after}</bdi>
              </td>
              <td>{formatCount(count)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {targets > examples.length ? (
        <p className={styles.quiet}>and {countOf(targets - examples.length, "more target")}</p>
      ) : null}
    </section>
  );
}

function Clash({ clash, words }: { readonly clash: PrefixClash; readonly words: (count: number) => string }) {
  const [first] = clash.examples;
  if (first === undefined) return null;
  return (
    <p className={styles.clash}>
      <span aria-hidden="true">◐</span> {words(clash.targets)} The first is <code>{first.after}</code>
      {first.after === first.there ? (
        "."
      ) : (
        <>
          , beside <code>{first.there}</code>.
        </>
      )}
    </p>
  );
}
