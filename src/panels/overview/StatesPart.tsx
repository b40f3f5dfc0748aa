import { STATES_IN_ORDER } from "../../core/reference.ts";
import type { Overview } from "../../core/open-set.ts";
import { ByteSize } from "../../widgets/ByteSize.tsx";
import { DefinitionList } from "../../widgets/DefinitionList.tsx";
import { formatCount, formatShare } from "../../widgets/number-format.ts";
import { StateMark, STATE_MEANING } from "../../widgets/StateMark.tsx";
import { CardPart } from "./Card.tsx";
import styles from "./StatesPart.module.css";

/** Chunks by state, and how long ranges and virtual chunks are. */
export function StatesPart({ overview }: { readonly overview: Overview }) {
  const { states, lengths } = overview;
  const total = STATES_IN_ORDER.reduce((sum, state) => sum + states[state], 0);
  const present = STATES_IN_ORDER.filter((state) => states[state] > 0);
  return (
    <CardPart title="Chunks by state" aside={`${formatCount(total)} in all`}>
      {total === 0 ? (
        <p className={styles.none}>There is no chunk here.</p>
      ) : (
        <StateBar states={states} total={total} />
      )}
      <table className={styles.table}>
        <tbody>
          {present.map((state) => (
            <tr key={state} title={STATE_MEANING[state]}>
              <th scope="row">
                <StateMark state={state} label />
              </th>
              <td>{formatCount(states[state])}</td>
              <td>{formatShare(states[state], total)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <DefinitionList
        items={[
          {
            term: lengthTerm(states),
            description: lengths === undefined ? noLengths(states) : <Lengths lengths={lengths} />,
          },
        ]}
      />
    </CardPart>
  );
}

const noLengths = ({ unknown }: Overview["states"]): string => (unknown > 0 ? "none known yet" : "no range references");

/** Virtual chunks and ranges occur together where some arrays of a repository are sharded. */
function lengthTerm({ virtual, range }: Overview["states"]): string {
  if (virtual === 0) return "Length of ranges";
  return range === 0 ? "Length of virtual chunks" : "Length of ranges and virtual chunks";
}

interface StateBarProps {
  readonly states: Overview["states"];
  readonly total: number;
}

/** The shares as a bar; the table below has the numbers. */
function StateBar({ states, total }: StateBarProps) {
  return (
    <div className={styles.bar} aria-hidden="true">
      {STATES_IN_ORDER.filter((state) => states[state] > 0).map((state) => (
        <span key={state} data-state={state} style={{ flexGrow: Math.max(0.006, states[state] / total) }} />
      ))}
    </div>
  );
}

function Lengths({ lengths }: { readonly lengths: NonNullable<Overview["lengths"]> }) {
  if (lengths.minimum === lengths.maximum)
    return (
      <>
        <ByteSize bytes={lengths.minimum} /> each
      </>
    );
  return (
    <>
      <ByteSize bytes={lengths.minimum} /> to <ByteSize bytes={lengths.maximum} />, median{" "}
      <ByteSize bytes={lengths.median} />
    </>
  );
}
