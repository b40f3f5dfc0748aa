import { useMemo } from "react";
import type { NodeSummary } from "../../core/open-set.ts";
import { useCheapAxes } from "../../store/use-cheap-axes.ts";
import { SeverityMark } from "../../widgets/SeverityMark.tsx";
import type { Acceptance } from "../../core/acceptance.ts";
import type { Place } from "../../core/findings/place.ts";
import { CausePicture } from "./CausePicture.tsx";
import { isCheap, subjectsOf } from "./cause-offers.ts";
import { RepairButton, RepairDetails } from "./CauseRepair.tsx";
import { useCauseRepairs, useTryOffer } from "./use-cause-repairs.ts";
import { reachOf } from "./cause-reach.ts";
import { reachWords, sizeWords } from "./cause-words.ts";
import type { NodesByPath } from "./chunk-of-key.ts";
import { FindingDetails } from "./FindingDetails.tsx";
import { whereOf, type ListedFinding } from "./findings.ts";
import { SetAsideButton } from "./SetAsideButton.tsx";
import { CauseEvidence } from "./values/CauseEvidence.tsx";
import { EvidencePicture } from "./values/EvidencePicture.tsx";
import styles from "./CauseItem.module.css";

interface CauseItemProps {
  readonly set: number;
  /** One of the first: a repair is looked for unasked. */
  readonly isEarly: boolean;
  readonly listed: ListedFinding;
  readonly nodes: NodesByPath;
  readonly opened: boolean;
  /** It was set aside, and reaches further by now. */
  readonly outgrown: Acceptance | undefined;
  readonly onGo: (place: Place) => void;
  readonly onToggle: () => void;
}

const NO_ARRAY: Pick<NodeSummary, "shape"> = { shape: [] };

/** A cause: where it lies, what it is, the evidence, how much it costs, and what to do. */
export function CauseItem({ set, isEarly, listed, nodes, opened, outgrown, onGo, onToggle }: CauseItemProps) {
  const { finding, explained } = listed;
  const { severity, title, message } = explained;
  const reach = useMemo(() => reachOf(listed, nodes), [listed, nodes]);
  const node = reach === undefined ? undefined : nodes.get(reach.array);
  const dimensions = (node ?? NO_ARRAY).shape ?? [];
  const axes = useCheapAxes(set, { path: reach?.array ?? "", dimensions }, true);
  const where = reach === undefined ? whereOf(listed) || "the set" : reachWords(reach, node, axes);
  const size = sizeWords(reach, severity === "error");
  const cause = useMemo(() => subjectsOf(listed, nodes), [listed, nodes]);
  const repairs = useCauseRepairs(set, cause, isEarly && isCheap(cause, severity, nodes));
  const onTry = useTryOffer();
  const picture = <CausePicture set={set} node={node} reach={reach} severity={severity} axes={axes} />;
  return (
    <li className={styles.item} data-code={finding.code} data-severity={severity} data-opened={opened}>
      <div className={styles.line}>
        {isEarly ? <EvidencePicture {...{ set, finding, severity, nodes }} otherwise={picture} /> : picture}
        <button type="button" className={styles.go} onClick={() => onGo(listed.place)}>
          <span className={styles.title}>
            <SeverityMark severity={severity} /> {title}
          </span>
          <span className={styles.where} title={where}>
            {where}
          </span>
          <Key listed={listed} shown={where} />
          {outgrown === undefined ? null : (
            <span className={styles.where}>Reaches further than what was set aside on {outgrown.date}.</span>
          )}
        </button>
        <p className={styles.message} title={message}>
          {message}
        </p>
        <p className={styles.size}>
          {size === undefined ? null : (
            <>
              <b>{size[0]}</b> {size[1]}
            </>
          )}
        </p>
        <span className={styles.repair}>
          <RepairButton repairs={repairs} opened={opened} onOpen={onToggle} />
        </span>
        <button type="button" data-kind="quiet" className={styles.more} aria-expanded={opened} onClick={onToggle}>
          {opened ? "Less" : "More"}
        </button>
      </div>
      {opened ? (
        <div className={styles.details}>
          <CauseEvidence set={set} finding={finding} severity={severity} nodes={nodes} />
          <RepairDetails repairs={repairs} onTry={onTry} />
          <FindingDetails listed={listed} nodes={nodes} onGo={onGo}>
            <SetAsideButton listed={listed} nodes={nodes} outgrown={outgrown} />
          </FindingDetails>
        </div>
      ) : null}
    </li>
  );
}

/** The key or address, where the place in words does not say it. */
function Key({ listed, shown }: { readonly listed: ListedFinding; readonly shown: string }) {
  const key = whereOf(listed);
  if (key === "" || key === shown || shown.replaceAll(" ", "/").includes(key)) return null;
  return <code className={styles.key}>{key}</code>;
}
