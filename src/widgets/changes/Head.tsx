import type { ReactNode } from "react";
import styles from "./ChangeTables.module.css";

interface HeadProps {
  readonly children: string;
  /** Which columns give way when there is little room. */
  readonly look?: "wide" | "timeCell" | "author" | "idCell" | "numeric" | "unseen";
  readonly title?: string;
}

/** The head of a column; an `unseen` one is for screen readers. */
export function Head({ children, look, title }: HeadProps) {
  const hasClass = look === "wide" || look === "timeCell" || look === "author" || look === "idCell";
  return (
    <th
      scope="col"
      className={hasClass ? styles[look] : undefined}
      data-numeric={look === "numeric" ? "true" : undefined}
      title={title}
    >
      {look === "unseen" ? <span className="unseen">{children}</span> : children}
    </th>
  );
}

/** The heads of a table. */
export const HeadRow = ({ children }: { readonly children: ReactNode }) => (
  <thead>
    <tr>{children}</tr>
  </thead>
);
