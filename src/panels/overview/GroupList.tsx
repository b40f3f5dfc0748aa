import type { CardGroup } from "../../core/dataset-card.ts";
import { useActions } from "../../store/react.tsx";
import { countOf } from "../../widgets/number-format.ts";
import { LimitedList } from "./LimitedList.tsx";
import styles from "./GroupList.module.css";

/** The groups in a group: each has a card of its own. */
export function GroupList({ groups }: { readonly groups: readonly CardGroup[] }) {
  const actions = useActions();
  return (
    <LimitedList
      title="Groups"
      items={groups}
      row={({ path, name, arrays }) => (
        <li key={path} className={styles.row}>
          <button
            type="button"
            data-kind="link"
            title={path}
            onClick={() => {
              actions.selectNode(path);
            }}
          >
            {name}
          </button>
          <span>{countOf(arrays, "array")}</span>
        </li>
      )}
    />
  );
}
