/** Hosts where nobody answers are asked once, and left alone; one that gives bytes is never held up. */
import { expect, it } from "vitest";
import { failure, RefscopeError, silentHost, targetAt } from "#core/findings/finding.ts";
import { hostWatch } from "./host-watch.ts";

const { signal } = new AbortController();
const url = (at: number, host = "https://data.example") => `${host}/${at}.nc`;
const dead = (at: string) => failure("host-unreachable", targetAt(at), { reason: undefined });

function askingAll(code: "dead" | "cors", hosts = hostWatch()) {
  let tried = 0;
  const one = async (at: number): Promise<string | undefined> => {
    const task = async () => {
      tried += 1;
      await Promise.resolve();
      throw code === "dead" ? dead(url(at)) : failure("cors-missing", targetAt(url(at)), { withCredentials: false });
    };
    return hosts.ask(url(at), signal, task).then(
      () => "read",
      (error: unknown) => (error instanceof RefscopeError ? silentHost(error.finding) : "other"),
    );
  };
  return { hosts, run: () => Promise.all(Array.from({ length: 100 }, (_, at) => one(at))), tried: () => tried };
}

it("asks a host where nobody is once for a hundred, and again after a while", async () => {
  let time = 0;
  const asking = askingAll(
    "dead",
    hostWatch(() => time),
  );
  const ends = await asking.run();
  expect(asking.tried()).toBe(1);
  expect(ends.filter((end) => end === "untried")).toHaveLength(99);
  expect(ends[0]).toBe("tried");
  expect(asking.hosts.silent()).toMatchObject([{ code: "host-unreachable", place: { target: url(0) } }]);
  time = 20_000;
  await asking.run();
  expect(asking.tried()).toBe(2);
});

it("asks a host that lets no page read three times", async () => {
  const asking = askingAll("cors");
  const ends = await asking.run();
  expect(asking.tried()).toBe(3);
  // Also of the two before it was known that the host is to blame.
  expect(ends.slice(0, 4)).toEqual(["tried", "tried", "tried", "untried"]);
});

it("lets all go once an answer can be read, and does not take one failure for the host's", async () => {
  const hosts = hostWatch();
  const fetch = hosts.watched(() => Promise.resolve(new Response("")));
  let release = () => undefined as void;
  const slow = hosts.ask(url(0), signal, async () => {
    await fetch(url(0), {});
    await new Promise<void>((resolve) => {
      release = resolve;
    });
  });
  await hosts.ask(url(1), signal, () => Promise.resolve());
  release();
  await slow;
  await expect(hosts.ask(url(2), signal, () => Promise.reject(dead(url(2))))).rejects.toThrow();
  expect(hosts.silent()).toEqual([]);
  await hosts.ask(url(3), signal, () => Promise.resolve());
});

it("says of failures that are too few for a host that they are their own", async () => {
  const hosts = hostWatch();
  const one = (at: number) =>
    hosts
      .ask(url(at), signal, () =>
        Promise.reject(failure("cors-missing", targetAt(url(at)), { withCredentials: false })),
      )
      .catch((error: unknown) => (error instanceof RefscopeError ? silentHost(error.finding) : "other"));
  await expect(Promise.all([one(0), one(1)])).resolves.toEqual([undefined, undefined]);
  await expect(one(2)).resolves.toBe("tried");
});

it("ends a wait at once that is given up, whatever the others do", async () => {
  const hosts = hostWatch();
  const giving = new AbortController();
  void hosts.ask(url(0), signal, () => new Promise(() => undefined));
  const waiting = hosts.ask(url(1), giving.signal, () => Promise.resolve("read"));
  giving.abort();
  await expect(waiting).rejects.toMatchObject({ name: "AbortError" });
});

it("says of an answer that a page may not read if it has read others there", async () => {
  const hosts = hostWatch();
  const closed = (at: number) => failure("cors-missing", targetAt(url(at)), { withCredentials: false });
  const factsOfAsking = (at: number) =>
    hosts
      .ask(url(at), signal, () => Promise.reject(closed(at)))
      .catch((error: unknown) => (error as RefscopeError).finding.facts);
  expect(await factsOfAsking(0)).toEqual({ withCredentials: false });
  hosts.readable(url(1));
  expect(await factsOfAsking(2)).toEqual({ withCredentials: false, othersRead: true });
  expect(hosts.known(url(3), closed(3).finding).facts).toMatchObject({ othersRead: true });
});
