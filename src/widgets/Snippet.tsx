/** Code to read and copy: a line that is wrapped goes on further in than it begins. */
import { type CSSProperties, Fragment } from "react";
import styles from "./Snippet.module.css";

export function Snippet({ label, text }: { readonly label: string; readonly text: string }) {
  const lines = text.trimEnd().split("\n");
  return (
    <pre className={styles.code} tabIndex={0} aria-label={label}>
      {lines.map((line, at) => {
        const [begin] = /^\s*\S?/.exec(line) ?? [""];
        const hang = { "--hang": `${begin.length + 3}ch` } as CSSProperties;
        return (
          // oxlint-disable-next-line react/no-array-index-key -- a line is its place
          <Fragment key={at}>
            <span style={hang}>
              <span>{begin}</span>
              {begin === "" ? " " : line.slice(begin.length)}
            </span>
            {"\n"}
          </Fragment>
        );
      })}
    </pre>
  );
}
