import { useEffect, useEffectEvent } from "react";

/** Acts on a value once it has stayed the same for so long; not at all without a number of milliseconds. */
export function useDelayed<T>(value: T, milliseconds: number | undefined, act: (value: T) => void): void {
  const onTime = useEffectEvent(act);
  useEffect(() => {
    if (milliseconds === undefined) return undefined;
    const timer = setTimeout(() => onTime(value), milliseconds);
    return () => clearTimeout(timer);
  }, [milliseconds, value]);
}
