/**
 * Milliseconds of the processor that this process has used: what tests of time compare, since they share the machine.
 */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
