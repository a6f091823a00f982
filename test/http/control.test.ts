// What operators prove themselves by.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createControl } from "../../src/http/control.js";

const test = suite("control");

test("without a secret no header passes", () => {
  const control = createControl({ apiKey: undefined, controlToken: undefined });
  assert.not(control.exists);
  for (const authorization of ["", "Bearer", "Bearer ", "Bearer x", "Bearer undefined"]) {
    assert.not(control.allows(authorization), authorization);
  }
});

test("key and token pass alike", () => {
  const control = createControl({ apiKey: "key", controlToken: "token" });
  assert.ok(control.exists);
  assert.ok(control.allows("Bearer key"));
  assert.ok(control.allows("Bearer token"));
  assert.not(control.allows("Bearer key, Bearer token"));
});

test("with a key only the one header passes, in the one spelling", () => {
  const control = createControl({ apiKey: "sécret Key", controlToken: undefined });
  assert.ok(control.allows("Bearer sécret Key"));
  const others = [
    "",
    "Bearer",
    "Bearer ",
    "sécret Key",
    "bearer sécret Key",
    "BEARER sécret Key",
    "Bearersécret Key",
    "Bearer  sécret Key",
    "Bearer\tsécret Key",
    " Bearer sécret Key",
    "Bearer sécret Key ",
    "Bearer sécret Key\u0000",
    "Bearer sécret Ke",
    "Bearer sécret Keyy",
    "Bearer sécret key",
    "Bearer secret Key",
    "Bearer Xécret Key",
    "Bearer sécret Key, Bearer sécret Key",
    "Basic sécret Key",
    "Token sécret Key",
    "Bearer undefined",
    "\u0000".repeat("Bearer sécret Key".length),
  ];
  for (const authorization of others) assert.not(control.allows(authorization), JSON.stringify(authorization));
});

test("a header that differs in one character, wherever, does not pass", () => {
  const header = "Bearer 0123456789abcdef";
  const control = createControl({ apiKey: "0123456789abcdef", controlToken: undefined });
  assert.ok(control.allows(header));
  for (let at = 0; at < header.length; at++) {
    const code = header.charCodeAt(at);
    for (const other of [code ^ 1, code ^ 0x20, code + 256, 0]) {
      const changed = `${header.slice(0, at)}${String.fromCharCode(other)}${header.slice(at + 1)}`;
      assert.not(control.allows(changed), changed);
    }
    assert.not(control.allows(`${header.slice(0, at)}${header.slice(at + 1)}`));
    assert.not(control.allows(header.slice(0, at)));
  }
});

test.run();
