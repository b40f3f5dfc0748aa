import { useActions, useSend } from "../../store/react.tsx";
import { prefixOf } from "../../store/file-for-target.ts";
import { FileButton } from "../../widgets/FileButton.tsx";

/** What helps where a target cannot be reached, filled in for this one. */
export function ReachTarget({ target }: { readonly target: string | null }) {
  const actions = useActions();
  const send = useSend();
  return (
    <>
      <FileButton
        text="Choose file…"
        title={`Reads ${target ?? "the references without a URL"} from a file of this computer`}
        primary
        onFiles={([file]) => {
          if (file !== undefined) void actions.chooseFileFor(target, file);
        }}
      />
      {target === null ? null : (
        <button
          type="button"
          title={`Reads everything below ${prefixOf(target)} from somewhere else`}
          onClick={() => {
            send({ kind: "show-locations", prefix: prefixOf(target) });
          }}
        >
          Map this prefix…
        </button>
      )}
    </>
  );
}
