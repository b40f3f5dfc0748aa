/** Which shard is shown, and the way to others. */
import { useState, type ReactNode } from "react";
import { CopyButton } from "../../../widgets/CopyButton.tsx";
import { formatCount } from "../../../widgets/number-format.ts";
import { dimensionName } from "../../../widgets/dimension-name.ts";
import type { ShardArray, ShardPlace } from "./shard-props.ts";
import styles from "./ShardPanel.module.css";

export interface ShardHeadProps {
  readonly array: ShardArray;
  readonly shard: ShardPlace;
  readonly shardGrid: readonly number[];
  readonly onShard: (coordinates: readonly number[]) => void;
  /** What is known of its bytes. */
  readonly children: ReactNode;
}

export function ShardHead({ array, shard, shardGrid, onShard, children }: ShardHeadProps) {
  const { key, target, coordinates } = shard;
  const dimensions = shardGrid.flatMap((count, dimension) => (count > 1 ? [dimension] : []));
  return (
    <header className={styles.head}>
      <div className={styles.name}>
        <h2 className={styles.key} title={key}>
          Shard {key}
        </h2>
        <CopyButton text={key} what="key of the shard" />
        {target === undefined || target === key ? null : (
          <code className={styles.target} title={target}>
            <bdi dir="ltr">{target}</bdi>
          </code>
        )}
      </div>
      {children}
      {dimensions.length === 0 ? null : (
        <div role="group" aria-label="Shard" className={styles.picker}>
          {dimensions.map((dimension) => (
            <Along
              key={dimension}
              name={dimensionName(array.dimensionNames, dimension)}
              count={shardGrid[dimension] ?? 1}
              at={coordinates[dimension] ?? 0}
              onAt={(at) => onShard(coordinates.map((now, place) => (place === dimension ? at : now)))}
            />
          ))}
        </div>
      )}
    </header>
  );
}

interface AlongProps {
  readonly name: string;
  readonly count: number;
  readonly at: number;
  readonly onAt: (at: number) => void;
}

/** Along one dimension: the one before, a field, the one after. */
function Along({ name, count, at, onAt }: AlongProps) {
  return (
    <span className={styles.along}>
      <span className={styles.alongName} title={name}>
        {name}
      </span>
      <button
        type="button"
        aria-label={`Previous shard along ${name}`}
        title={`Previous shard along ${name}`}
        disabled={at <= 0}
        onClick={() => onAt(at - 1)}
      >
        ‹
      </button>
      <AtField key={at} name={name} count={count} at={at} onAt={onAt} />
      <button
        type="button"
        aria-label={`Next shard along ${name}`}
        title={`Next shard along ${name}`}
        disabled={at >= count - 1}
        onClick={() => onAt(at + 1)}
      >
        ›
      </button>
      <span className={styles.faint}>of {formatCount(count)}</span>
    </span>
  );
}

/** Goes there with Enter, or when it is left. */
function AtField({ name, count, at, onAt }: AlongProps) {
  const [text, setText] = useState(String(at));
  const typed = /^\s*\d{1,15}\s*$/.test(text) ? Number(text) : undefined;
  const right = typed !== undefined && typed < count;
  const go = () => {
    if (right && typed !== at) onAt(typed);
    else if (!right) setText(String(at));
  };
  return (
    <form
      className={styles.atForm}
      onSubmit={(event) => {
        event.preventDefault();
        if (right) go();
      }}
    >
      <input
        type="text"
        inputMode="numeric"
        aria-label={`Shard along ${name}`}
        title={`A number from 0 to ${formatCount(count - 1)}, then Enter`}
        aria-invalid={!right}
        autoComplete="off"
        value={text}
        onBlur={go}
        onChange={(event) => setText(event.target.value)}
      />
    </form>
  );
}
