import { useEngine } from "../../store/react.tsx";
import type { ReaderChosen } from "../../store/use-reader.ts";
import { ErrorNotice } from "../../widgets/ErrorNotice.tsx";
import { Loading } from "../../widgets/Loading.tsx";
import { countOf, formatBytes, formatCount } from "../../widgets/number-format.ts";
import styles from "./Readers.module.css";

/** zarrita on a sample of chunks, its cost said first. */
export function ZarritaSamplePart({ set, chosen }: { readonly set: number; readonly chosen: ReaderChosen }) {
  const cost = useEngine("check.readerCost", { set }).last?.data;
  const { sample, runSample, cancelSample } = chosen;
  if (cost === undefined) {
    return (
      <p className={styles.quiet}>
        zarrita cannot be run on this set: it reads Kerchunk JSON and Zarr stores only. Its verdict is one of rules.
      </p>
    );
  }
  if (cost.chunks === 0) return <p className={styles.quiet}>There is no chunk on which zarrita could be run.</p>;
  if (sample?.running === true)
    return <Loading label="Comparing with zarrita" progress={sample.progress} onCancel={cancelSample} />;
  return (
    <div className={styles.run}>
      {sample?.error === undefined ? null : <ErrorNotice error={sample.error} />}
      <p className={styles.quiet}>
        zarrita itself can be run: it reads chunks in a worker of its own, and its values are compared with ours, one by
        one.
      </p>
      <button type="button" title="Each side reads for itself, so that bytes count twice" onClick={runSample}>
        Run zarrita on {cost.chunks >= cost.of ? "all " : ""}
        {countOf(cost.chunks, "chunk")}
        {cost.chunks >= cost.of ? "" : ` of ${formatCount(cost.of)}`} · {formatBytes(cost.bytes)}
      </button>
    </div>
  );
}
