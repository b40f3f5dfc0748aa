import type { ReactNode } from "react";
import type { CardDimension } from "#core/dataset-card.ts";
import { useActions } from "#store/react.tsx";
import type { ViewName } from "#store/views.ts";
import { formatCount } from "#widgets/number-format.ts";
import { LinkButton } from "#widgets/controls/Button.tsx";
import styles from "./CardHead.module.css";

interface CardHeadProps {
  /** Absent where it is said above. */
  readonly title?: string;
  /** Further facts, in a line. */
  readonly facts: readonly string[];
  readonly children?: ReactNode;
}

/** The subject of the card, the largest thing on it. */
export function CardHead({ title, facts, children }: CardHeadProps) {
  const line = facts.join(" · ");
  return (
    <div>
      {title === undefined ? null : (
        <h2 className={styles.title} title={title}>
          {title}
        </h2>
      )}
      {line === "" ? null : <p className={styles.facts}>{line}</p>}
      {children}
    </div>
  );
}

interface NodeLinkProps {
  readonly path: string;
  /** View to show it in; absent: the view for such a node. */
  readonly view?: ViewName;
  readonly title?: string;
  readonly children: ReactNode;
}

/** Leads to a group or an array. */
export function NodeLink({ path, view, title, children }: NodeLinkProps) {
  const actions = useActions();
  const onClick = () => {
    actions.selectNode(path);
    if (view !== undefined) actions.showView(view);
  };
  return (
    <LinkButton title={title} onClick={onClick}>
      {children}
    </LinkButton>
  );
}

/** Names and lengths, large; dimensions without a coordinate are fainter. */
export function Dimensions({ dimensions }: { readonly dimensions: readonly CardDimension[] }) {
  if (dimensions.length === 0) return null;
  return (
    <dl className={styles.dimensions} aria-label="Dimensions">
      {dimensions.map(({ name, lengths, hasCoordinate }) => (
        <div className="narrow" key={name} data-plain={!hasCoordinate} title={titleOf(lengths, hasCoordinate)}>
          <dt className="break faint fine">{name}</dt>
          <dd>{lengths.map(formatCount).join(" | ")}</dd>
        </div>
      ))}
    </dl>
  );
}

function titleOf(lengths: readonly number[], hasCoordinate: boolean): string | undefined {
  if (lengths.length > 1)
    return "Arrays disagree on the length of this dimension, so xarray cannot open them together.";
  return hasCoordinate ? undefined : "This dimension has no coordinate.";
}
