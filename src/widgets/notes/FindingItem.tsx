import type { ComponentProps, ReactNode } from "react";
import type { SaidFinding } from "#core/findings/explained.ts";
import { Button, QuietButton } from "../controls/Button.tsx";
import { formatCount } from "../number-format.ts";
import styles from "./FindingItem.module.css";
import { SeverityMark } from "./marks.tsx";

interface FindingItemProps extends Pick<SaidFinding, "found" | "said"> {
  readonly where: string;
  readonly opened: boolean;
  readonly onToggle: () => void;
  /** Follows the line to the finding's place. */
  readonly onGo: () => void;
  readonly onFocus?: () => void;
  readonly tabIndex?: number;
  readonly item?: ComponentProps<"li"> & { readonly "data-index"?: number };
  /** Buttons at the end of the line. */
  readonly aside?: ReactNode;
  /** Shown below the line when opened. */
  readonly children: ReactNode;
}

/** One finding: severity, code, place and sentence in a line, and its whole text on demand. */
export function FindingItem({ found, said, where, opened, item, aside, children, tabIndex, ...on }: FindingItemProps) {
  const { code, count } = found;
  const { severity, message } = said;
  return (
    <li {...item} data-code={code} data-severity={severity}>
      <div className={styles.line}>
        <Button className={styles.go} tabIndex={tabIndex} title={message} onFocus={on.onFocus} onClick={on.onGo}>
          <SeverityMark severity={severity} />
          <code className={`quiet ${styles.code}`} title={code}>
            {code}
          </code>
          <code className={styles.where} title={where}>
            <bdi dir="ltr">{where}</bdi>
          </code>
          <span className={styles.message}>{message}</span>
          {count > 1 ? <span className={styles.count}>×{formatCount(count)}</span> : null}
        </Button>
        {aside}
        <QuietButton tabIndex={tabIndex} aria-expanded={opened} onClick={on.onToggle}>
          {opened ? "Less" : "More"}
        </QuietButton>
      </div>
      {opened ? <div className={styles.folded}>{children}</div> : null}
    </li>
  );
}

/** Words of a finding: the problem, the fix, and its effect on readers. */
export function FindingWords({ said: { message, remedy, readers } }: Pick<SaidFinding, "said">) {
  return (
    <>
      <p>{message}</p>
      {remedy === undefined ? null : <p className="quiet">What to do: {remedy}</p>}
      {readers === "" ? null : <p className="quiet">Readers: {readers}</p>}
    </>
  );
}
