import type { ReactNode } from "react";
import { EmptyState } from "./EmptyState.tsx";

export interface BrokenNodeProps {
  /** `""` is the root. */
  readonly path: string;
  /** Why its metadata cannot be understood, or what follows from that. */
  readonly children: ReactNode;
  readonly onShowMetadata: () => void;
}

/** In place of what cannot be shown of a node whose metadata are broken. */
export function BrokenNode({ path, children, onShowMetadata }: BrokenNodeProps) {
  return (
    <EmptyState title={`The metadata of ${path === "" ? "the root" : path} cannot be understood.`}>
      <p>{children}</p>
      <button type="button" onClick={onShowMetadata}>
        Show the metadata
      </button>
    </EmptyState>
  );
}
