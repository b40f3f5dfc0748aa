import type { ReactNode } from "react";
import styles from "./Badge.module.css";

export interface BadgeProps {
  readonly tone?: "plain" | "accent" | "ok" | "warn" | "bad";
  readonly title?: string;
  readonly children: ReactNode;
}

/** A short fact in a box. */
export function Badge({ tone = "plain", title, children }: BadgeProps) {
  return (
    <span className={styles.badge} data-tone={tone} title={title}>
      {children}
    </span>
  );
}
