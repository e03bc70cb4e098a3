import assert from "node:assert/strict";
import { test } from "node:test";
import { BackOff, Coalesced } from "../src/restart";

test("requests while one runs cause exactly one more run", async () => {
  let runs = 0;
  let open: () => void = () => undefined;
  const coalesced = new Coalesced(async () => {
    runs++;
    await new Promise<void>((resolve) => (open = resolve));
  });
  const first = coalesced.request();
  const others = [coalesced.request(), coalesced.request(), coalesced.request()];
  assert.equal(runs, 1);
  open();
  await new Promise(setImmediate);
  assert.equal(runs, 2);
  open();
  await Promise.all([first, ...others]);
  assert.equal(runs, 2);
  const later = coalesced.request();
  assert.equal(runs, 3);
  open();
  await later;
});

test("a failing run does not block the next", async () => {
  let runs = 0;
  const coalesced = new Coalesced(() => {
    runs++;
    return runs === 1 ? Promise.reject(new Error("no")) : Promise.resolve();
  });
  await assert.rejects(coalesced.request());
  await coalesced.request();
  assert.equal(runs, 2);
  await coalesced.idle();
});

test("waits grow, then it gives up, and time heals", () => {
  let now = 0;
  const backOff = new BackOff(() => now);
  const waits = Array.from({ length: 5 }, () => backOff.next());
  assert.deepEqual(waits, [200, 1_000, 3_000, 10_000, undefined]);
  now += 180_000;
  assert.equal(backOff.next(), 200);
  backOff.reset();
  assert.equal(backOff.next(), 200);
});
