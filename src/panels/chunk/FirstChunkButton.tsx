import { useActions } from "#store/react.tsx";
import type { ChunkArray } from "./chunk-words.ts";
import { Button } from "#widgets/controls/Button.tsx";

interface FirstChunkButtonProps {
  readonly array: Pick<ChunkArray, "path" | "grid">;
  readonly className?: string | undefined;
}

export function FirstChunkButton({ array: { path, grid }, className }: FirstChunkButtonProps) {
  const actions = useActions();
  return (
    <Button
      className={className}
      onClick={() =>
        actions.selectChunk(
          path,
          grid.map(() => 0),
        )
      }
    >
      Read the first chunk
    </Button>
  );
}
