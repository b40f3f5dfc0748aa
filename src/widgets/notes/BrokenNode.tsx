import type { NodeSummary } from "#core/open-set.ts";
import { EmptyState, useMessage } from "./Notices.tsx";
import { Button } from "../controls/Button.tsx";

export interface BrokenNodeProps {
  readonly node: NodeSummary;
  /** Consequence, if it is not known why its metadata cannot be understood. */
  readonly without: string;
  readonly onShowMetadata: () => void;
}

/** Note in place of contents of a node whose metadata are broken. */
export function BrokenNode({ node: { path, reason }, without, onShowMetadata }: BrokenNodeProps) {
  const why = useMessage(reason);
  return (
    <EmptyState title={`Invalid metadata: ${path === "" ? "the root" : path}`}>
      <p>{why ?? without}</p>
      <Button onClick={onShowMetadata}>Show the metadata</Button>
    </EmptyState>
  );
}
