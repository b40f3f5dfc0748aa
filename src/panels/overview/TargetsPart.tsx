import { Fragment } from "react";
import { shownTarget } from "../../core/shown-target.ts";
import type { Overview, TargetSummary } from "../../core/open-set.ts";
import { ByteSize } from "../../widgets/ByteSize.tsx";
import { CopyButton } from "../../widgets/CopyButton.tsx";
import { formatCount } from "../../widgets/number-format.ts";
import { CardPart } from "./Card.tsx";
import { TableHead } from "./TableHead.tsx";
import styles from "./TargetsPart.module.css";

/** Where the bytes are: hosts. */
export function HostsTable({ overview: { hosts, states } }: { readonly overview: Overview }) {
  if (hosts.length === 0) return <p className={styles.none}>{noHosts(states)}</p>;
  return (
    <table className={styles.table}>
      <TableHead names={["Host", "Targets", "References", "Bytes"]} />
      <tbody>
        {hosts.map((host) => (
          <tr key={host.host} className={styles.host}>
            <th scope="row">
              <Host name={host.host} />
            </th>
            <td>{formatCount(host.targets)}</td>
            <td>{formatCount(host.references)}</td>
            <td>
              <ByteSize bytes={host.bytes} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function noHosts({ unknown, native }: Overview["states"]): string {
  if (unknown > 0) return "None known yet.";
  if (native > 0) return "The chunks are objects of the store itself.";
  return "No reference points outside the set.";
}

/** May break before a dot or a colon, where one reads on. */
function Host({ name }: { readonly name: string }) {
  return name.split(/(?=[.:])/).map((part, at) => (
    // oxlint-disable-next-line react/no-array-index-key -- parts may repeat, positions may not
    <Fragment key={at}>
      {at === 0 ? null : <wbr />}
      {part}
    </Fragment>
  ));
}

export interface TargetsPartProps {
  readonly targets: readonly TargetSummary[];
  /** How many there are in all. */
  readonly count: number;
}

/** Where the bytes are: the files that most references point into. */
export function TargetsPart({ targets, count }: TargetsPartProps) {
  if (count === 0) return null;
  const aside =
    count > targets.length ? `the first ${formatCount(targets.length)} of ${formatCount(count)}` : formatCount(count);
  return (
    <CardPart title="Targets with the most references" aside={aside}>
      <div className={styles.scroll} tabIndex={0} role="region" aria-label="Targets">
        <table className={styles.table}>
          <TableHead names={["Target, as written", "References", "Bytes"]} />
          <tbody>
            {targets.map((target) => (
              <tr key={target.id}>
                <th scope="row">
                  <span className={styles.target}>
                    <code title={shownTarget(target.url)}>
                      <bdi dir="ltr">{shownTarget(target.url)}</bdi>
                    </code>
                    <CopyButton text={target.url} what="target" />
                  </span>
                </th>
                <td>{formatCount(target.references)}</td>
                <td>
                  <ByteSize bytes={target.bytes} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </CardPart>
  );
}
