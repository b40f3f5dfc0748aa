/** The selected array as its readers see it: a slice across chunks, and which chunk each value comes from. */
import type { NodeSummary, SetSummary } from "../../core/open-set.ts";
import { useActions, useAppState } from "../../store/react.tsx";
import { ArrayList } from "../../widgets/ArrayList.tsx";
import { BrokenNode } from "../../widgets/BrokenNode.tsx";
import { EmptyState } from "../../widgets/EmptyState.tsx";
import { formatShape } from "../../widgets/number-format.ts";
import { ArrayData } from "./ArrayData.tsx";

export function DataPanel() {
  const set = useAppState((state) => state.set);
  const path = useAppState((state) => state.node);
  const actions = useActions();
  const node = set?.nodes.find((one) => one.path === path);
  if (set === undefined || node === undefined) {
    return <EmptyState title="No reference set is open.">Open one to see the values of its arrays.</EmptyState>;
  }
  if (node.kind === "broken") {
    return (
      <BrokenNode
        node={node}
        without="Without metadata that can be understood there are no values."
        onShowMetadata={() => actions.showView("metadata")}
      />
    );
  }
  if (node.kind !== "array") return <PickArray set={set} node={node} />;
  const { shape, chunks, grid } = node;
  if (shape === undefined || chunks === undefined || grid === undefined) {
    return (
      <EmptyState title="The values of this array cannot be put together.">
        Its chunk grid is not one that Refscope reads; Chunks lists its references.
      </EmptyState>
    );
  }
  if (grid.includes(0)) {
    return <EmptyState title="This array has no values.">One of its dimensions has length 0.</EmptyState>;
  }
  return <ArrayData key={`${set.id} ${node.path}`} {...{ set, node, shape, grid }} chunkShape={chunks} />;
}

/** A group has no values of its own. */
function PickArray({ set, node }: { readonly set: SetSummary; readonly node: NodeSummary }) {
  const actions = useActions();
  const prefix = node.path === "" ? "" : `${node.path}/`;
  const arrays = set.nodes.filter(({ kind, path }) => kind === "array" && path.startsWith(prefix));
  if (arrays.length === 0) {
    return <EmptyState title="There is no array here.">Select another group in the hierarchy.</EmptyState>;
  }
  return (
    <EmptyState title="Select an array to see its values">
      <ArrayList
        label="Arrays"
        arrays={arrays.map(({ path, name, shape }) => ({
          path,
          name: path === "" ? name : path,
          detail: shape === undefined ? "" : formatShape(shape),
        }))}
        onArray={(chosen) => {
          actions.selectNode(chosen);
        }}
      />
    </EmptyState>
  );
}
