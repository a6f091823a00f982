// Ways of speaking HTTP that the libraries under the clients have.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { converse, json, withClient } from "./conversation.js";

const test = suite("habits of HTTP libraries");

const BEAT = '{"timestamp":"2024-05-01T12:00:00Z","duration":0,"data":{"a":"ü"}}';
const LENGTH = `Content-Length: ${Buffer.byteLength(BEAT)}`;
const CHUNKS = ["{", BEAT.slice(1)].map((text) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`);

/** A head with the line of the request, what every client sends and these lines. */
function head(port: number, line: string, ...lines: readonly string[]): string {
  return [line, `Host: localhost:${port}`, ...lines, "", ""].join("\r\n");
}

const HEARTBEAT = "POST /api/0/buckets/b/heartbeat?pulsetime=1";
const JSON_TYPE = "Content-Type: application/json";

const HABITS: Readonly<Record<string, (port: number) => readonly string[]>> = {
  "a body in chunks": (port) => [
    `${head(port, `${HEARTBEAT} HTTP/1.1`, JSON_TYPE, "Transfer-Encoding: chunked")}${CHUNKS.join("")}0\r\n\r\n`,
  ],
  "a body that waits for `100 Continue`, as of curl": (port) => [
    head(port, `${HEARTBEAT} HTTP/1.1`, JSON_TYPE, "Expect: 100-continue", LENGTH),
    BEAT,
  ],
  "an offer to change to HTTP/2, as of Java": (port) => {
    const offer = ["Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABk"];
    return [head(port, `${HEARTBEAT} HTTP/1.1`, JSON_TYPE, LENGTH, ...offer) + BEAT];
  },
  "HTTP/1.0": (port) => [head(port, `${HEARTBEAT} HTTP/1.0`, JSON_TYPE, LENGTH) + BEAT],
  "a whole URL in the request line, as through a proxy": (port) => [
    head(port, `${HEARTBEAT.replace(" ", ` http://localhost:${port}`)} HTTP/1.1`, JSON_TYPE, LENGTH) + BEAT,
  ],
  "a header `charset`, as of the Python client": (port) => [
    head(port, `${HEARTBEAT} HTTP/1.1`, JSON_TYPE, "charset: utf-8", LENGTH) + BEAT,
  ],
  "a byte order mark before the body": (port) => {
    const length = `Content-Length: ${Buffer.byteLength(BEAT) + 3}`;
    return [`${head(port, `${HEARTBEAT} HTTP/1.1`, JSON_TYPE, length)}\uFEFF${BEAT}`];
  },
};

for (const [habit, partsFor] of Object.entries(HABITS)) {
  test(`${habit} is understood`, () =>
    withClient(async (send, port) => {
      await send("POST", "/api/0/buckets/b", { client: "c", type: "t", hostname: "h" });
      const [answer] = await converse(port, 1, partsFor(port));
      assert.is(answer?.status, 200, answer?.text);
      const { data } = JSON.parse(answer?.text ?? "") as { data: unknown };
      assert.equal(data, { a: "ü" });
      assert.is(json(await send("GET", "/api/0/buckets/b/events/count")), 1);
    }));
}

const REFUSED: readonly (readonly [status: number, path: string, ...lines: readonly string[]])[] = [
  [404, "/api/0/buckets/no-such-bucket/heartbeat?pulsetime=1", JSON_TYPE],
  [400, "/api/0/buckets/no-such-bucket/heartbeat", JSON_TYPE],
  [404, "/api/0/no-such-path", JSON_TYPE],
  [400, "/api/0/buckets/b", JSON_TYPE],
  [403, "/api/0/buckets/b", JSON_TYPE, "Origin: http://foreign.example"],
  [403, "/api/0/buckets/b/heartbeat?pulsetime=1", JSON_TYPE, "Origin: http://foreign.example"],
  [415, "/api/0/import", "Content-Type: text/plain"],
  [415, "/api/0/buckets/b/heartbeat?pulsetime=1", "Content-Type: text/plain"],
  [405, "/api/0/info", JSON_TYPE],
];

for (const [status, path, ...lines] of REFUSED) {
  test(`a kept connection serves on after ${status} for ${path} (${lines.join(", ")})`, () =>
    withClient(async (_send, port) => {
      const refused = head(port, `POST ${path} HTTP/1.1`, ...lines, LENGTH) + BEAT;
      const next = head(port, "GET /api/0/buckets/ HTTP/1.1");
      const answers = await converse(port, 2, [refused + next]);
      assert.equal(
        answers.map((answer) => answer.status),
        [status, 200],
      );
      assert.type((JSON.parse(answers[0]?.text ?? "") as { message: unknown }).message, "string");
      assert.is(answers[1]?.text, "{}");
    }));
}

test.run();
