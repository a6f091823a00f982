// What a refusal behind a proxy says: it names the option that lets the server's own pages in, and lets nothing in.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { ActivityServerOptions } from "../../src/index.js";
import { type Headers, withServer } from "../harness.js";

const test = suite("refusals behind a proxy");

const PAGE = "https://aw.example";
const CORS = "list it in `cors` to trust it";
const TRUST = "your proxy forwards its host, so set `trustProxy` and list the host in `allowedHosts`";
const LIST = "your proxy forwards its host, so list the host in `allowedHosts`";
const PORT = "your proxy changes the port, so forward the host with the port that the browser sent";
const FORWARD = `${CORS}. For your own pages behind a proxy, forward Host, or X-Forwarded-Host with \`trustProxy\``;

const told = ({ body }: { readonly body: Buffer }): unknown => JSON.parse(body.toString());

type Options = Pick<ActivityServerOptions, "allowedHosts" | "trustProxy">;

const CASES: readonly (readonly [name: string, options: Options, headers: Headers, remedy: string])[] = [
  ["no proxy", {}, {}, CORS],
  ["a proxy that sends the host in another header", {}, { "X-Forwarded-Host": "aw.example" }, TRUST],
  ["a chain of proxies", {}, { "X-Forwarded-Host": "AW.example, inner" }, TRUST],
  ["the same with a list", { allowedHosts: ["127.0.0.1"] }, { "X-Forwarded-Host": "aw.example:443" }, TRUST],
  [
    "a trusted host that no list has",
    { allowedHosts: false, trustProxy: true },
    { "X-Forwarded-Host": "aw.example" },
    LIST,
  ],
  ["a host that is kept", { allowedHosts: false }, { Host: "aw.example", "X-Forwarded-Proto": "https" }, LIST],
  [
    "a port that is lost",
    { allowedHosts: ["aw.example"] },
    { Host: "aw.example:81", "X-Forwarded-For": "10.0.0.1" },
    PORT,
  ],
  ["a host that is lost", {}, { "X-Forwarded-For": "10.0.0.1" }, FORWARD],
  ["a header of the standard", {}, { Forwarded: "for=10.0.0.1;proto=https" }, FORWARD],
  ["a page of another site", {}, { "X-Forwarded-Host": "other.example" }, FORWARD],
  ["a silent proxy, and a browser that shows its own page", {}, { "Sec-Fetch-Site": "same-origin" }, FORWARD],
  ["a silent proxy, and a listed name", { allowedHosts: ["aw.example", "127.0.0.1"] }, {}, FORWARD],
  ["no proxy, and a browser that shows another page", {}, { "Sec-Fetch-Site": "cross-site" }, CORS],
  ["no proxy, and a list of other names", { allowedHosts: ["other.example", "127.0.0.1"] }, {}, CORS],
];

for (const [name, options, headers, remedy] of CASES) {
  test(`${name}: the refusal of a page names what is missing`, () =>
    withServer({ ...options, buckets: ["b"] }, async ({ send }) => {
      const answer = await send("GET", "/api/0/buckets/", undefined, { Origin: PAGE, ...headers });
      assert.is(answer.status, 403);
      assert.is(answer.headers["access-control-allow-origin"], undefined);
      assert.equal(told(answer), { message: `this origin may call nothing; ${remedy}`, code: "FORBIDDEN" });
    }));
}

test("what the refusals name lets the page in", async () => {
  const forwarded = { "X-Forwarded-Host": "aw.example", "X-Forwarded-Proto": "https" };
  await withServer({ trustProxy: true, allowedHosts: ["aw.example", "127.0.0.1"] }, async ({ send }) => {
    assert.is((await send("GET", "/api/0/buckets/", undefined, { Origin: PAGE, ...forwarded })).status, 200);
  });
  await withServer({ allowedHosts: ["aw.example"] }, async ({ send }) => {
    const kept = { Host: "aw.example", "X-Forwarded-Proto": "https" };
    assert.is((await send("GET", "/api/0/buckets/", undefined, { Origin: PAGE, ...kept })).status, 200);
  });
});

test("the refusal of a Host header names what to list, without its port", () =>
  withServer({ allowedHosts: ["aw.example"] }, async ({ send }) => {
    const refusal = async (host: string) => (told(await send("GET", "/", undefined, { Host: host })) as Error).message;
    assert.match(await refusal("app"), "got 'app'; list it in `allowedHosts`");
    assert.match(await refusal("app:3000"), "got 'app:3000'; list 'app' in `allowedHosts`");
    assert.match(await refusal("[fe80::1]:3000"), "got '[fe80::1]:3000'; list '[fe80::1]' in `allowedHosts`");
  }));

test("an origin that is no address of a page gets the usual words", () =>
  withServer({}, async ({ send }) => {
    for (const origin of ["null", "file://", "chrome-extension://abc", "https://"]) {
      const answer = await send("GET", "/api/0/buckets/", undefined, { Origin: origin, "X-Forwarded-For": "10.0.0.1" });
      assert.is((told(answer) as { message: string }).message, `this origin may call nothing; ${CORS}`);
    }
  }));

test.run();
