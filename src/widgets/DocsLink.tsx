import type { ReactNode } from "react";
import styles from "./DocsLink.module.css";

/** A link into the documentation, where that lies beside the page (`tools/docs.ts` says so of it). */
export function DocsLink({ to, children }: { readonly to: string; readonly children: ReactNode }) {
  if (document.documentElement.dataset.docs === undefined) return null;
  return (
    <a className={styles.link} href={`docs/${to}`} target="_blank" rel="noreferrer">
      {children}
    </a>
  );
}
