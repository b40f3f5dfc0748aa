import { Popover } from "../../../widgets/Popover.tsx";
import type { ManifestTable } from "./use-manifest-table.ts";
import styles from "./FilterBar.module.css";

/** Shows and hides columns; the key always stays. */
export function ColumnsMenu({ table }: { readonly table: ManifestTable }) {
  return (
    <Popover label={<span aria-label="Columns">⋯</span>} title="Columns" align="end" arrow={false}>
      <div className={styles.columns}>
        {table.hideable.map(({ id, header, visible }) => (
          <label key={id} className={styles.column}>
            <input type="checkbox" checked={visible} onChange={() => table.toggle(id)} />
            {header}
          </label>
        ))}
      </div>
    </Popover>
  );
}
