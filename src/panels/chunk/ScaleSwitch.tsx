import { Segmented } from "../../widgets/Segmented.tsx";

interface ScaleSwitchProps {
  readonly scaled: boolean;
  readonly onScaled: (scaled: boolean) => void;
  /** What the CF view does to the stored values. */
  readonly words: string;
}

/** Values as stored, or as the CF attributes say: scaled, masked, as dates. */
export function ScaleSwitch({ scaled, onScaled, words }: ScaleSwitchProps) {
  return (
    <Segmented
      label="Values shown"
      value={scaled ? "scaled" : "raw"}
      options={[
        { value: "raw", text: "Raw", title: "Values as they are stored" },
        { value: "scaled", text: "CF view", title: `As xarray decodes the CF attributes: ${words}` },
      ]}
      onValue={(value) => onScaled(value === "scaled")}
    />
  );
}
