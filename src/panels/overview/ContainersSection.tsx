import { useMessage } from "../../widgets/use-explain.ts";
import { useState } from "react";
import { containerNeeds } from "../../core/container-words.ts";
import type { ContainerSummary } from "../../core/repository.ts";
import { useEngine, useSend } from "../../store/react.tsx";
import { MoreRows } from "../../widgets/MoreRows.tsx";
import { Badge } from "../../widgets/Badge.tsx";
import { CopyButton } from "../../widgets/CopyButton.tsx";
import { DefinitionList, type Definition } from "../../widgets/DefinitionList.tsx";
import { formatCount } from "../../widgets/number-format.ts";
import { Unanswered } from "../../widgets/Unanswered.tsx";
import { Card } from "./Card.tsx";
import styles from "./ContainersSection.module.css";

/** The places that virtual chunks of a repository may be in, and what reading from each needs. */
export function ContainersSection({ set }: { readonly set: number }) {
  const answer = useEngine("repository.history", { set });
  const { data } = answer;
  const aside = data === undefined ? undefined : formatCount(data.containers.length);
  return (
    <Card title="Virtual chunk containers" aside={aside === undefined ? undefined : <span>{aside}</span>}>
      {data === undefined ? <Unanswered answer={answer} label="Reading the configuration" /> : null}
      {data?.containers.length === 0 ? <p className={styles.none}>The repository’s configuration names none.</p> : null}
      {data === undefined || data.containers.length === 0 ? null : <Containers containers={data.containers} />}
    </Card>
  );
}

/** At a time. */
const STEP = 20;

function Containers({ containers }: { readonly containers: readonly ContainerSummary[] }) {
  const [limit, setLimit] = useState(STEP);
  return (
    <>
      <ul className={styles.list} aria-label="Virtual chunk containers">
        {containers.slice(0, limit).map((container) => (
          <Container key={`${container.name ?? ""} ${container.prefix}`} container={container} />
        ))}
      </ul>
      <MoreRows shown={limit} total={containers.length} step={STEP} onMore={setLimit} />
    </>
  );
}

function Container({ container }: { readonly container: ContainerSummary }) {
  const send = useSend();
  const { prefix, ignored } = container;
  const whyIgnored = useMessage(ignored);
  return (
    <li className={styles.container} data-ignored={ignored !== undefined}>
      <div className={styles.head}>
        <code className={styles.prefix}>{prefix}</code>
        <CopyButton text={prefix} what={`prefix ${prefix}`} />
        {ignored === undefined ? null : <Badge tone="warn">ignored</Badge>}
        <button
          type="button"
          className={styles.locations}
          aria-label={`Locations for this prefix… ${prefix}`}
          onClick={() => {
            send({ kind: "show-locations", prefix });
          }}
        >
          Locations for this prefix…
        </button>
      </div>
      <DefinitionList items={facts(container, whyIgnored)} />
    </li>
  );
}

function facts(container: ContainerSummary, ignored: string | undefined): readonly Definition[] {
  const { name, store, options } = container;
  return [
    { term: "Name", description: name ?? "not recorded" },
    { term: "Store", description: store },
    ...(options.length === 0 ? [] : [{ term: "Options", description: <Options options={options} /> }]),
    { term: "To read from it", description: containerNeeds(container) },
    ...(ignored === undefined ? [] : [{ term: "Ignored", description: ignored }]),
  ];
}

function Options({ options }: Pick<ContainerSummary, "options">) {
  return (
    <span className={styles.options}>
      {options.map(([term, value]) => (
        <span key={term}>
          {term}: <code>{value}</code>
        </span>
      ))}
    </span>
  );
}
