/** Filter by target: the targets of the rows, with counts, to choose one or several of. */
import { useId, useState, type KeyboardEvent, type MouseEvent } from "react";
import type { TargetSummary } from "../../../core/open-set.ts";
import { formatBytes, formatCount, formatExactBytes } from "../../../widgets/number-format.ts";
import { movedIndex } from "../../../widgets/roving.ts";
import { SearchField } from "../../../widgets/SearchField.tsx";
import { toggled, type ChosenTarget } from "./filter-draft.ts";
import { Url } from "./ManifestCell.tsx";
import { Popover } from "../../../widgets/Popover.tsx";
import { targetChoices } from "./target-choices.ts";
import { useFacets } from "./use-facets.ts";
import type { Manifest } from "./use-manifest.ts";
import styles from "./FilterBar.module.css";

export function TargetFacet({ manifest }: { readonly manifest: Manifest }) {
  const { draft } = manifest;
  const count = useFacets(manifest)?.targetCount;
  const chosen = draft.targets.length;
  const all = count === undefined ? "–" : count === 0 ? "none" : formatCount(count);
  return (
    <Popover
      title="Targets"
      marked={chosen > 0}
      label={
        <>
          target <b>{chosen === 0 ? all : `${formatCount(chosen)} chosen`}</b>
        </>
      }
    >
      <TargetList manifest={manifest} />
    </Popover>
  );
}

function TargetList({ manifest }: { readonly manifest: Manifest }) {
  const { draft, setDraft } = manifest;
  const [search, setSearch] = useState("");
  const facets = useFacets(manifest);
  const choices = targetChoices(facets?.targets ?? [], draft.targets, search);
  const unlisted = (facets?.targetCount ?? 0) - (facets?.targets.length ?? 0);
  return (
    <div className={styles.targets}>
      <SearchField label="Search targets" value={search} onChange={setSearch} />
      <TargetListbox
        choices={choices}
        chosen={draft.targets}
        onToggle={({ id, url }) => {
          const targets = toggled(draft.targets, { id, url }, (a, b) => a.id === b.id);
          setDraft({ ...draft, targets });
        }}
      />
      {choices.length === 0 ? (
        <p className={styles.hint}>
          {search === "" ? "No reference here has a target." : "No listed target contains this text."}
        </p>
      ) : null}
      {(facets?.states.native ?? 0) > 0 ? (
        <p className={styles.hint}>Native chunks lie in the store itself: filters by target leave them out.</p>
      ) : null}
      {unlisted > 0 ? (
        <p className={styles.hint}>
          These are the {formatCount(facets?.targets.length ?? 0)} targets with most rows; {formatCount(unlisted)} more
          are not listed. “Target contains” filters all of them.
        </p>
      ) : null}
    </div>
  );
}

interface TargetListboxProps {
  readonly choices: readonly TargetSummary[];
  readonly chosen: readonly ChosenTarget[];
  readonly onToggle: (target: TargetSummary) => void;
}

function TargetListbox({ choices, chosen, onToggle }: TargetListboxProps) {
  const id = useId();
  const [moved, setMoved] = useState(0);
  const active = Math.min(moved, choices.length - 1);
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const target = choices[active];
    const next = movedIndex(event.key, active, choices.length, "vertical");
    if (next !== undefined) {
      setMoved(next);
      event.currentTarget.children[next]?.scrollIntoView({ block: "nearest" });
    } else if ((event.key === " " || event.key === "Enter") && target !== undefined) onToggle(target);
    else return;
    event.preventDefault();
  };
  const onClick = (event: MouseEvent<HTMLDivElement>) => {
    const option = event.target instanceof Element ? event.target.closest("[role=option]") : null;
    const place = option === null ? -1 : Array.from(event.currentTarget.children).indexOf(option);
    const target = choices[place];
    if (target === undefined) return;
    setMoved(place);
    onToggle(target);
  };
  return (
    <div
      role="listbox"
      aria-label="Targets"
      aria-multiselectable
      aria-activedescendant={active < 0 ? undefined : `${id}-${active}`}
      tabIndex={0}
      className={styles.listbox}
      onKeyDown={onKeyDown}
      onClick={onClick}
    >
      {choices.map((target, place) => (
        <div
          key={target.id}
          id={`${id}-${place}`}
          role="option"
          aria-label={target.url}
          aria-selected={chosen.some((one) => one.id === target.id)}
          data-active={place === active}
          className={styles.option}
        >
          <span className={styles.check} aria-hidden="true" />
          <Url url={target.url} />
          <span className={styles.optionCount}>{formatCount(target.references)}</span>
          <span className={styles.optionBytes} title={formatExactBytes(target.bytes)}>
            {formatBytes(target.bytes)}
          </span>
        </div>
      ))}
    </div>
  );
}
