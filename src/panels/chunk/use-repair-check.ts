/** A repair for the array, tried on a sample of its chunks before it can be applied. */
import { useState } from "react";
import type { RepairCheck, Trial } from "../../core/lab.ts";
import { useApp } from "../../store/react.tsx";
import { useTask, type Begun, type TaskByHand } from "../../store/use-task.ts";

export interface RepairChecking extends Pick<TaskByHand<RepairCheck>, "cancel" | "dismiss"> {
  /** `undefined` while nothing is checked, or what was checked is of another set or array. */
  readonly known: KnownCheck | undefined;
  readonly begin: (trial: Trial, label: string) => void;
}

interface Tried {
  readonly trial: Trial;
  /** What the repair does, in words. */
  readonly label: string;
}

export interface KnownCheck extends Tried, Begun<RepairCheck> {}

interface Place {
  readonly set: number;
  readonly array: string;
  readonly coordinates: readonly number[];
}

export function useRepairCheck({ set, array, coordinates }: Place): RepairChecking {
  const { engine } = useApp();
  const [tried, setTried] = useState<Tried>();
  const subject = JSON.stringify([set, array]);
  const task = useTask<RepairCheck>("check-repair", "Trying the repair on other chunks", subject);
  return {
    known: tried && task.begun && { ...tried, ...task.begun },
    begin: (trial, label) => {
      setTried({ trial, label });
      task.begin((options) => engine.call("lab.checkRepair", { set, array, coordinates, trial }, options));
    },
    cancel: task.cancel,
    dismiss: task.dismiss,
  };
}
