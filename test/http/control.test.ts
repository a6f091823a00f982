// What operators prove themselves by.
import { createHmac } from "node:crypto";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createControl } from "../../src/http/control.js";
import { requestProof } from "../../src/http/control-proof.js";
import { hmacSha256 } from "../../src/util/hmac.js";

const test = suite("control");

const aimed = () => ({ method: "GET", target: "/api/0/keys" });
const LONG = "a token of thirty-two characters";

test("without a secret no header passes", () => {
  const control = createControl({ apiKey: undefined, controlToken: undefined });
  assert.not(control.exists);
  for (const authorization of ["", "Bearer", "Bearer ", "Bearer x", "Bearer undefined"]) {
    assert.not(control.allows(authorization, aimed), authorization);
  }
});

test("key and token pass alike", () => {
  const control = createControl({ apiKey: "key", controlToken: "token" });
  assert.ok(control.exists);
  assert.ok(control.allows("Bearer key", aimed));
  assert.ok(control.allows("Bearer token", aimed));
  assert.not(control.allows("Bearer key, Bearer token", aimed));
});

test("with a key only the one header passes, in the one spelling", () => {
  const control = createControl({ apiKey: "sécret Key", controlToken: undefined });
  assert.ok(control.allows("Bearer sécret Key", aimed));
  const others = [
    ...["", "Bearer", "Bearer ", "sécret Key", "bearer sécret Key", "BEARER sécret Key", "Bearersécret Key"],
    ...["Bearer  sécret Key", "Bearer\tsécret Key", " Bearer sécret Key", "Bearer sécret Key "],
    ...["Bearer sécret Key\u0000", "Bearer sécret Ke", "Bearer sécret Keyy", "Bearer sécret key"],
    ...["Bearer secret Key", "Bearer Xécret Key", "Bearer sécret Key, Bearer sécret Key", "Basic sécret Key"],
    ...["Token sécret Key", "Bearer undefined", "\u0000".repeat("Bearer sécret Key".length)],
  ];
  for (const authorization of others) assert.not(control.allows(authorization, aimed), JSON.stringify(authorization));
});

test("a header that differs in one character, wherever, does not pass", () => {
  const header = "Bearer 0123456789abcdef";
  const control = createControl({ apiKey: "0123456789abcdef", controlToken: undefined });
  assert.ok(control.allows(header, aimed));
  for (let at = 0; at < header.length; at++) {
    const code = header.charCodeAt(at);
    for (const other of [code ^ 1, code ^ 0x20, code + 256, 0]) {
      const changed = `${header.slice(0, at)}${String.fromCharCode(other)}${header.slice(at + 1)}`;
      assert.not(control.allows(changed, aimed), changed);
    }
    assert.not(control.allows(`${header.slice(0, at)}${header.slice(at + 1)}`, aimed));
    assert.not(control.allows(header.slice(0, at), aimed));
  }
});

test("a proof of the control token passes for its own request, and for no other", () => {
  const control = createControl({ apiKey: "the key is no less than thirty-two", controlToken: LONG });
  const proof = requestProof(LONG, aimed());
  assert.not.match(proof, LONG);
  assert.ok(control.allows(proof, aimed));
  for (const other of [
    { method: "POST", target: "/api/0/keys" },
    { method: "GET", target: "/api/0/keys?x" },
    { method: "GET", target: "/api/0/export" },
  ]) {
    assert.not(
      control.allows(proof, () => other),
      JSON.stringify(other),
    );
  }
  const [scheme = "", rest = ""] = proof.split(" ");
  const [nonce = "", mac = ""] = rest.split(".");
  const last = mac.endsWith("0") ? "1" : "0";
  for (const wrong of [
    requestProof(`${LONG}!`, aimed()),
    requestProof("the key is no less than thirty-two", aimed()),
    `${scheme} ${nonce}.${mac.slice(0, -1)}${last}`,
    `${scheme} ${nonce}x.${mac}`,
    `${scheme} ${nonce}.${mac.toUpperCase().replace(/^/, "A").slice(0, 64)}`,
    `${scheme} ${nonce}.`,
    `${scheme} .${mac}`,
    `Bearer ${rest}`,
    scheme,
    `${proof}, ${proof}`,
  ]) {
    assert.not(control.allows(wrong, aimed), wrong);
  }
  assert.not(createControl({ apiKey: "key", controlToken: undefined }).allows(requestProof("key", aimed()), aimed));
});

test("a server proves a long token to a challenge, and no other secret", () => {
  const challenge = "0123456789abcdef";
  const expected = createHmac("sha256", LONG).update(`server ${challenge}`).digest("hex");
  const control = createControl({ apiKey: "key", controlToken: LONG });
  assert.is(control.prove(challenge), expected);
  assert.is.not(control.prove("0123456789abcdeg"), expected);
  // A short one could be found by trying, by whoever has a proof.
  assert.is(createControl({ apiKey: "key", controlToken: LONG.slice(1) }).prove(challenge), undefined);
  assert.is(createControl({ apiKey: LONG, controlToken: undefined }).prove(challenge), undefined);
  // What the server says is no proof of a request, whatever the challenge is.
  const said = control.prove("request-0123456789");
  assert.not(control.allows(`Control request-0123456789.${said}`, aimed));
});

for (const length of [0, 1, 63, 64, 65, 200]) {
  test(`the HMAC with a key of ${length} characters is that of Node`, () => {
    const key = "ké".repeat(length).slice(0, length);
    for (const message of ["", "what is proved", "é".repeat(1000)]) {
      assert.is(hmacSha256(key, message), createHmac("sha256", key).update(message).digest("hex"));
    }
  });
}

test.run();
