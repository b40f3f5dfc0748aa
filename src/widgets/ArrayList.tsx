/** Arrays to choose from, where the selected node has not what a view shows. */
import styles from "./ArrayList.module.css";
import { Button } from "./controls/Button.tsx";

export interface ArrayListProps {
  readonly label: string;
  readonly arrays: readonly { readonly path: string; readonly name: string; readonly detail: string }[];
  readonly onArray: (path: string) => void;
}

export const MAX_LISTED_ARRAYS = 200;

export function ArrayList({ label, arrays, onArray }: ArrayListProps) {
  return (
    <ul className={styles.arrays} aria-label={label}>
      {arrays.slice(0, MAX_LISTED_ARRAYS).map(({ path, name, detail }) => (
        <li key={path}>
          <Button className="flex spread gap-12 full" title={path} onClick={() => onArray(path)}>
            <span className="ellipsis">{name}</span>
            <span className="one-line faint tabular">{detail}</span>
          </Button>
        </li>
      ))}
    </ul>
  );
}
