import { useActions } from "../../store/react.tsx";
import type { ChunkArray } from "./chunk-words.ts";

interface FirstChunkButtonProps {
  readonly array: Pick<ChunkArray, "path" | "grid">;
  readonly className?: string | undefined;
}

export function FirstChunkButton({ array: { path, grid }, className }: FirstChunkButtonProps) {
  const actions = useActions();
  return (
    <button
      type="button"
      className={className}
      onClick={() =>
        actions.selectChunk(
          path,
          grid.map(() => 0),
        )
      }
    >
      Read the first chunk
    </button>
  );
}
