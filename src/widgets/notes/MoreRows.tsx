import { formatCount } from "../number-format.ts";
import { LinkButton } from "../controls/Button.tsx";

interface MoreRowsProps {
  readonly shown: number;
  readonly total: number;
  readonly step: number;
  /** How many are to be shown. */
  readonly onMore: (shown: number) => void;
}

/** Below a list that shows only its first rows; nothing where it shows all. */
export function MoreRows({ shown, total, step, onMore }: MoreRowsProps) {
  if (total <= shown) return null;
  return (
    <p className="quiet">
      {formatCount(shown)} of {formatCount(total)}.{" "}
      <LinkButton onClick={() => onMore(shown + step)}>
        Show {formatCount(Math.min(step, total - shown))} more
      </LinkButton>
    </p>
  );
}
