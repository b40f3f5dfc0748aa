/** The chunk grid of the selected array as a picture (DESIGN "The screen"). */
import { useState } from "react";
import type { NodeSummary, RasterColour, SetSummary } from "../../core/open-set.ts";
import { useActions, useAppState, useCommand } from "../../store/react.tsx";
import { ArrayList, MAX_LISTED_ARRAYS } from "../../widgets/ArrayList.tsx";
import { BrokenNode } from "../../widgets/BrokenNode.tsx";
import { EmptyState } from "../../widgets/EmptyState.tsx";
import { formatShape } from "../../widgets/number-format.ts";
import { SearchField } from "../../widgets/SearchField.tsx";
import { ArrayGrid } from "./ArrayGrid.tsx";
import { useCompared } from "./use-compared.ts";

export function GridPanel() {
  const set = useAppState((state) => state.set);
  const path = useAppState((state) => state.node);
  const [colour, setColour] = useState<RasterColour>("state");
  useCommand("colour-map", (command) => {
    setColour(command.colour);
  });
  const compared = useCompared(path);
  const node = set?.nodes.find((one) => one.path === path);
  if (set === undefined || node === undefined) {
    return <EmptyState title="No reference set is open.">Open one to see the chunk grids of its arrays.</EmptyState>;
  }
  if (node.kind === "array" && node.grid !== undefined) {
    return (
      <ArrayGrid
        key={`${set.id} ${node.path}`}
        set={set}
        node={node}
        grid={node.grid}
        // Comes back with the next array that differs.
        colour={colour === "change" && compared === undefined ? "state" : colour}
        onColour={setColour}
        compared={compared}
      />
    );
  }
  return node.kind === "broken" ? <Broken node={node} /> : <PickArray set={set} node={node} />;
}

function Broken({ node }: { readonly node: NodeSummary }) {
  const actions = useActions();
  return (
    <BrokenNode
      node={node}
      without="Without it, the array's chunk grid is not known."
      onShowMetadata={() => actions.showView("metadata")}
    />
  );
}

/** `6 × 3 × 3 chunks` */
function gridText(grid: readonly number[]): string {
  const one = grid.every((count) => count === 1);
  return one ? "1 chunk" : `${formatShape(grid)} chunks`;
}

/** A group has no chunk grid of its own: offers the arrays below it. */
function PickArray({ set, node }: { readonly set: SetSummary; readonly node: NodeSummary }) {
  const actions = useActions();
  const [search, setSearch] = useState("");
  const prefix = node.path === "" ? "" : `${node.path}/`;
  const arrays = set.nodes.filter(({ kind, path }) => kind === "array" && path.startsWith(prefix));
  const wanted = arrays.filter(({ path }) => path.toLowerCase().includes(search.trim().toLowerCase()));
  if (arrays.length === 0) {
    return <EmptyState title="There is no array here.">Select another group in the hierarchy.</EmptyState>;
  }
  return (
    <EmptyState title="Select an array to see its chunk grid">
      {arrays.length > 12 ? <SearchField label="Search arrays" value={search} onChange={setSearch} /> : null}
      <ArrayList
        label="Arrays"
        arrays={wanted.map(({ path, name, grid }) => ({
          path,
          name: path === "" ? name : path,
          detail: grid === undefined ? "" : gridText(grid),
        }))}
        onArray={(path) => {
          actions.selectNode(path);
        }}
      />
      {wanted.length > MAX_LISTED_ARRAYS ? (
        <p>The first {MAX_LISTED_ARRAYS} are listed; the search field finds the others.</p>
      ) : null}
    </EmptyState>
  );
}
