import type { SetSummary } from "../../core/open-set.ts";
import type { SourceDetail } from "../../core/sources.ts";
import { useActions } from "../../store/react.tsx";
import { useAxesByArray } from "../../store/use-axes-by-array.ts";
import { countOf, formatCount, formatShare } from "../../widgets/number-format.ts";
import { arrayName, boxWords } from "./array-words.ts";
import styles from "./SourcesPanel.module.css";

/** Which arrays have chunks in the target, and which part of each. */
export function ArraysTab({ set, detail }: { readonly set: SetSummary; readonly detail: SourceDetail }) {
  const actions = useActions();
  const { arrays, arrayCount } = detail;
  const axes = useAxesByArray(
    set.id,
    arrays.map(({ array }) => array),
  );
  return (
    <div className={styles.arrays}>
      <table>
        <thead>
          <tr>
            <th scope="col">Array</th>
            <th scope="col">References</th>
            <th scope="col">Of its chunks</th>
            <th scope="col">Where they lie</th>
          </tr>
        </thead>
        <tbody>
          {arrays.map((one) => {
            const node = set.nodes.find(({ path }) => path === one.array);
            return (
              <tr key={one.array}>
                <th scope="row">
                  {node === undefined ? (
                    arrayName(one.array)
                  ) : (
                    <button type="button" data-kind="link" onClick={() => actions.selectNode(one.array)}>
                      {arrayName(one.array)}
                    </button>
                  )}
                </th>
                <td>{formatCount(one.references)}</td>
                <td>{node?.cells === undefined ? "–" : formatShare(one.references, node.cells)}</td>
                <td>{boxWords(one, node, axes.get(one.array))}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {arrayCount > arrays.length ? <p>and {countOf(arrayCount - arrays.length, "more array")}</p> : null}
    </div>
  );
}
