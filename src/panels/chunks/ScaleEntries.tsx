/** Legends for the colours of chunks, on the map and a shard. */
import { LegendEntry, Ramp, RampBytes } from "#widgets/cell-map/Legend.tsx";
import { formatExactBytes } from "#widgets/number-format.ts";
import { LENGTH_GRADIENT, type LengthScale, orderGradient } from "./cell-colours.ts";

export const OrderEntry = () => (
  <LegendEntry title="Where each chunk lies in the grid of its shard">
    <Ramp gradient={orderGradient()} low="first" high="last" />
  </LegendEntry>
);

export function LengthEntry({ scale }: { readonly scale: LengthScale | undefined }) {
  if (scale === undefined) return <LegendEntry>No chunk has a known length.</LegendEntry>;
  const { minimum, maximum, longest } = scale;
  return (
    <LegendEntry title={`Stored bytes, on a square-root scale. The longest chunk has ${formatExactBytes(longest)}`}>
      <Ramp
        gradient={LENGTH_GRADIENT}
        low={<RampBytes bytes={minimum} />}
        high={
          <>
            <RampBytes bytes={maximum} />
            {longest > maximum ? " or more" : ""}
          </>
        }
      />
    </LegendEntry>
  );
}
