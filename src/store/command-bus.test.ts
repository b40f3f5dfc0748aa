import { describe, expect, it } from "vitest";
import { commandBus, type PageCommand } from "./command-bus.ts";

function heard() {
  const commands: PageCommand[] = [];
  return { commands, take: (command: PageCommand) => void commands.push(command) };
}

describe("commands", () => {
  it("reach the receiver of their kind, and no one once it has gone", () => {
    const bus = commandBus();
    const { commands, take } = heard();
    const stop = bus.receive("explain-code", take);
    bus.send({ kind: "explain-code", code: "range-past-end" });
    bus.send({ kind: "trial" });
    stop();
    bus.send({ kind: "explain-code", code: "duplicate-key" });
    expect(commands).toEqual([{ kind: "explain-code", code: "range-past-end" }]);
  });

  it("wait for a view that is not there yet: the last of a kind, once", () => {
    const bus = commandBus();
    const { commands, take } = heard();
    bus.send({ kind: "find-row", node: "a", key: "a/0" });
    bus.send({ kind: "find-row", node: "a", key: "a/1" });
    bus.receive("find-row", take)();
    bus.receive("find-row", take);
    expect(commands).toEqual([{ kind: "find-row", node: "a", key: "a/1" }]);
  });

  it("do not wait where they mean what is on the screen now", () => {
    const bus = commandBus();
    const { commands, take } = heard();
    bus.send({ kind: "trial" });
    bus.receive("trial", take);
    expect(commands).toEqual([]);
  });

  it("that wait are dropped when asked to", () => {
    const bus = commandBus();
    const { commands, take } = heard();
    bus.send({ kind: "colour-map", colour: "change" });
    bus.forget();
    bus.receive("colour-map", take);
    expect(commands).toEqual([]);
  });

  it("stay with a later receiver when an earlier one goes", () => {
    const bus = commandBus();
    const { commands, take } = heard();
    const stop = bus.receive("focus-editor", () => undefined);
    bus.receive("focus-editor", take);
    stop();
    bus.send({ kind: "focus-editor" });
    expect(commands).toEqual([{ kind: "focus-editor" }]);
  });
});
