import type { NodeHealth } from "./node-health.ts";
import styles from "./HealthMark.module.css";

/** A shape and, where there is one, a count. What it means is in the title of the line. */
export function HealthMark({ health }: { readonly health: NodeHealth }) {
  return (
    <span className={styles.mark} data-health={health.kind} aria-hidden="true">
      {health.kind === "missing" ? null : <Shape kind={health.kind} />}
      {"text" in health ? health.text : null}
    </span>
  );
}

const SHAPES: Readonly<Record<Exclude<NodeHealth["kind"], "missing" | "partly" | "unread">, string>> = {
  failed: "M3 3l6 6M9 3l-6 6",
  read: "M2.5 6.5l2.5 2.5l4.5-5.5",
};

function Shape({ kind }: { readonly kind: Exclude<NodeHealth["kind"], "missing"> }) {
  return (
    <svg viewBox="0 0 12 12">
      {kind === "unread" || kind === "partly" ? (
        <>
          <circle cx="6" cy="6" r="4.5" strokeDasharray="2 1.8" />
          {kind === "partly" ? <path className={styles.part} d="M6 3.5a2.5 2.5 0 0 1 0 5z" /> : null}
        </>
      ) : (
        <path d={SHAPES[kind]} />
      )}
    </svg>
  );
}
