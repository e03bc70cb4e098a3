import assert from "node:assert/strict";
import test from "node:test";
import { faultOf } from "../src/model/faults";

const errorWith = (more: object, message = "No."): Error => Object.assign(new Error(message), more);

const cases: [string, unknown, string][] = [
  ["a model that is gone", errorWith({ code: "NotFound" }), "no_model"],
  ["a user who refused", errorWith({ code: "NoPermissions" }), "no_consent"],
  ["a blocked request", errorWith({ code: "Blocked" }), "blocked"],
  ["a quota in words", errorWith({ code: "Blocked" }, "You exceeded your quota"), "quota"],
  ["a quota by name", errorWith({ name: "ChatQuotaExceeded" }), "quota"],
  ["a rate limit by name", errorWith({ name: "ChatRateLimited" }), "quota"],
  ["a filter in the cause", errorWith({ cause: new Error("off_topic") }), "blocked"],
  ["a long prompt", errorWith({}, "Message exceeds token limit."), "too_long"],
  ["something else", errorWith({}, "It rained."), "other"],
  ["no error at all", "strange", "other"],
];

for (const [name, error, fault] of cases) {
  test(`${name} is ${fault}`, () => {
    assert.equal(faultOf(error).fault, fault);
    assert.notEqual(faultOf(error).message, "");
  });
}
