import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  type AccessRules,
  type ConnectionFacts,
  createGuard,
  type Guard,
  isLoopback,
  type OriginStanding,
} from "../../src/http/guard.js";
import { words } from "../words.js";
import { FOREIGN_HOSTS, LOOPBACK_HOSTS, STANDINGS } from "./guard-tables.js";

const test = suite("guard");

type AskedGuard = Guard & { readonly allowsHost: (request: ConnectionFacts) => boolean };

function guardOf(rules: Partial<AccessRules> = {}): AskedGuard {
  const plain = {
    allowedHosts: undefined,
    cors: [],
    corsRegex: [],
    testing: false,
    trustProxy: false,
    trustAnyOwnName: false,
  };
  const guard = createGuard({ ...plain, ...rules });
  return { ...guard, allowsHost: (request) => guard.wrongHost(request) === undefined };
}

/** A request as the rules see it. */
function asked(
  host: string | undefined,
  boundAddress?: string,
  others: Readonly<Record<string, string>> = {},
): ConnectionFacts {
  const headers: Readonly<Record<string, string | undefined>> = { ...others, host };
  return { header: (name) => headers[name], boundAddress, isEncrypted: false };
}

test("bound to loopback, the loopback names are allowed with any port", () => {
  for (const address of ["127.0.0.1", "::1", "::ffff:127.0.0.1", "127.9.9.9", "localhost"]) {
    for (const host of LOOPBACK_HOSTS) assert.ok(guardOf().allowsHost(asked(host, address)), `${host} at ${address}`);
  }
});

test("bound to loopback, every other Host header is refused", () => {
  for (const host of FOREIGN_HOSTS) assert.not(guardOf().allowsHost(asked(host, "127.0.0.1")), JSON.stringify(host));
});

test("bound to loopback, the bound address is allowed, too, and no neighbour of it", () => {
  assert.ok(guardOf().allowsHost(asked("127.0.0.5:5600", "127.0.0.5")));
  assert.not(guardOf().allowsHost(asked("127.0.0.6:5600", "127.0.0.5")));
  assert.not(guardOf().allowsHost(asked("127.0.0.5", "127.0.0.1")));
});

test("bound elsewhere, or without a socket, hosts are not checked", () => {
  for (const address of [undefined, "0.0.0.0", "::", "192.168.1.5", "fe80::1", "::ffff:10.0.0.1"]) {
    for (const host of [...LOOPBACK_HOSTS, ...FOREIGN_HOSTS]) assert.ok(guardOf().allowsHost(asked(host, address)));
  }
});

test("a list of names replaces the loopback names wherever the socket is bound", () => {
  const guard = guardOf({ allowedHosts: ["Example.org", "[fe80::1]"] });
  for (const address of [undefined, "127.0.0.3", "10.0.0.1"]) {
    for (const host of ["example.org", "EXAMPLE.org:5600", "[fe80::1]", "[FE80::1]:80"]) {
      assert.ok(guard.allowsHost(asked(host, address)), `${host} at ${address}`);
    }
    const others = [...LOOPBACK_HOSTS, ...FOREIGN_HOSTS, "www.example.org", "example.org.evil", "example.org:1:1"];
    for (const host of others) assert.not(guard.allowsHost(asked(host, address)), `${host} at ${address}`);
  }
});

test("an empty list allows no host but a bound address, false allows all", () => {
  for (const host of [...LOOPBACK_HOSTS, ...FOREIGN_HOSTS]) {
    assert.not(guardOf({ allowedHosts: [] }).allowsHost(asked(host, "0.0.0.0")) && host !== "0.0.0.0");
    assert.ok(guardOf({ allowedHosts: false }).allowsHost(asked(host, "127.0.0.1")));
  }
});

test("addresses of 127/8, ::1 and localhost are loopback", () => {
  for (const address of ["127.0.0.1", "127.255.0.3", "::1", "::ffff:127.0.0.1", "localhost"]) {
    assert.ok(isLoopback(address), address);
  }
  const others = words`0.0.0.0 :: ::ffff:10.0.0.127 ::2 10.127.0.1 1270.0.0.1 fe80::127.1`;
  for (const address of [undefined, "", ...others]) assert.not(isLoopback(address), address);
});

const OWN_HOST = "127.0.0.1:5600";

function expectStandings(guard: Guard, host: string | undefined, standings: typeof STANDINGS): void {
  for (const [origin, standing] of standings) {
    assert.is(guard.originStanding(origin, asked(host)), standing, `${JSON.stringify(origin)} at ${host}`);
  }
}

test("the server's own pages are trusted, extensions may watch, everything else is foreign", () => {
  for (const host of [OWN_HOST, "localhost:5600", "[::1]:5600"]) expectStandings(guardOf(), host, STANDINGS);
});

test("an origin is the server's own only at the port of the Host header", () => {
  const cases: readonly (readonly [host: string | undefined, origin: string, standing: OriginStanding])[] = [
    ["localhost", "http://localhost", "trusted"],
    ["localhost:80", "http://localhost", "trusted"],
    ["localhost", "http://localhost:80", "trusted"],
    ["localhost", "http://localhost:5600", "foreign"],
    ["localhost:5666", "http://localhost:5600", "foreign"],
    ["localhost:5666", "http://127.0.0.1:5666", "trusted"],
    [undefined, "http://localhost", "foreign"],
    ["", "http://localhost", "foreign"],
    ["localhost:5600@evil", "http://localhost:5600", "foreign"],
    ["localhost:", "http://localhost:5600", "foreign"],
  ];
  for (const [host, origin, standing] of cases) expectStandings(guardOf(), host, [[origin, standing]]);
});

test("a page under a foreign name that leads here is foreign, though its origin and Host header agree", () => {
  for (const rules of [{}, { allowedHosts: false }, { testing: true }] as const) {
    expectStandings(guardOf(rules), "evil.example:5600", [["http://evil.example:5600", "foreign"]]);
  }
});

test("pages under a name that the options allow are the server's own, those under others are not", () => {
  const guard = guardOf({ allowedHosts: ["activity.example"] });
  expectStandings(guard, "activity.example:5600", [
    ["http://activity.example:5600", "trusted"],
    ["http://activity.example", "foreign"],
    ["http://localhost:5600", "foreign"],
  ]);
});

test("testing trusts the web UI in development, and lets any Chrome extension watch", () => {
  expectStandings(guardOf({ testing: true }), OWN_HOST, [
    ["http://127.0.0.1:27180", "trusted"],
    ["http://localhost:27180", "trusted"],
    ["http://localhost:5600", "trusted"],
    ["chrome-extension://abcdefghijklmnopabcdefghijklmnop", "watcher"],
    ["moz-extension://x", "watcher"],
    ["http://localhost:27181", "foreign"],
    ["https://localhost:27180", "foreign"],
    ["http://localhost:27180.evil.example", "foreign"],
    ["xchrome-extension://x", "foreign"],
    ["null", "foreign"],
  ]);
});

test("listed origins are trusted exactly as they are written", () => {
  const guard = guardOf({ cors: ["https://ui.example", "moz-extension://mine", "http://*.wild.example"] });
  expectStandings(guard, OWN_HOST, [
    ["https://ui.example", "trusted"],
    ["moz-extension://mine", "trusted"],
    ["moz-extension://other", "watcher"],
    ["http://*.wild.example", "trusted"],
    ["http://a.wild.example", "foreign"],
    ["https://ui.example:443", "foreign"],
    ["https://ui.example/", "foreign"],
    ["https://UI.example", "foreign"],
    ["http://ui.example", "foreign"],
    ["https://ui.example.evil", "foreign"],
    ["https://a.ui.example", "foreign"],
    ["null", "foreign"],
  ]);
});

test("a star trusts every origin", () => {
  for (const [origin] of STANDINGS)
    assert.is(guardOf({ cors: ["*"] }).originStanding(origin, asked(OWN_HOST)), "trusted");
});

/** A pattern, the origins that it must match as a whole, and those that it must not. */
const PATTERNS: readonly (readonly [pattern: string, trusted: readonly string[], foreign: readonly string[]])[] = [
  [
    "https?://(\\w+\\.)?dev\\.example(:\\d+)?",
    ["https://dev.example", "http://a.dev.example:80"],
    ["https://dev.example.evil", "https://a.dev.example@evil", "xhttps://dev.example", "https://devxexample", ""],
  ],
  ["http://a|http://b", ["http://a", "http://b"], ["http://a.evil", "evil http://b", "http://ab", "http://ahttp://b"]],
  ["^http://a$|^http://b$", ["http://a", "http://b"], ["http://a.evil", "xhttp://b"]],
  ["(?:http://a)|http://b", ["http://a", "http://b"], ["http://a.evil", "xhttp://b"]],
  ["http://a|", ["http://a", ""], ["http://a.evil", "evil"]],
  ["http://[)|(]", ["http://)", "http://|"], ["http://", "http://evil"]],
  ["http://a\\)\\|\\(b", ["http://a)|(b"], ["http://a", "b"]],
  ["http://(a)\\1", ["http://aa"], ["http://a", "http://aaa"]],
  ["http://a/b", ["http://a/b"], ["http://a", "http://a/bc"]],
  ["", [""], ["http://a", "null"]],
  [".*", ["http://a", "null", ""], []],
];

test("a pattern must match the whole of an origin", () => {
  for (const [pattern, trusted, foreign] of PATTERNS) {
    const guard = guardOf({ corsRegex: ["never", pattern] });
    for (const [origins, standing] of [
      [trusted, "trusted"],
      [foreign, "foreign"],
    ] as const) {
      for (const origin of [...origins, ...origins]) {
        assert.is(guard.originStanding(origin, asked(OWN_HOST)), standing, `${JSON.stringify(origin)} by ${pattern}`);
      }
    }
  }
});

test("a pattern that would break out of its anchors is refused, like any that cannot be read", () => {
  for (const pattern of ["a)|(b", "a)|(?:b", ".*)|(?:", ")(", "(", ")", "[", "a\\", "*", "(?<n>a)(?<n>b)", "(?"]) {
    assert.throws(
      () => guardOf({ corsRegex: [pattern] }),
      (error: unknown) => error instanceof SyntaxError,
      pattern,
    );
  }
});

test("a pattern that takes long, or an origin that is long, does not match", () => {
  const origin = `http://${"a".repeat(400)}!`;
  for (const pattern of ["http://(a+)+", "http://(a|a)*", "http://(?:a*)*b", "http://(a+)+\\1", "(?:.*a){20}x"]) {
    assert.is(guardOf({ corsRegex: [pattern] }).originStanding(origin, asked(OWN_HOST)), "foreign", pattern);
  }
  const long = `http://${"a".repeat(100_000)}`;
  assert.is(guardOf({ corsRegex: [".*"] }).originStanding(long, asked(OWN_HOST)), "foreign");
});

test("in a list of names <ip> stands for every address, and for no name", () => {
  const guard = guardOf({ allowedHosts: ["desk.example", "<ip>"] });
  const hosts = ["127.0.0.1:5600", "192.168.1.5", "[::1]:80", "[fe80::1]", "desk.example:5600"];
  for (const host of hosts) assert.ok(guard.allowsHost(asked(host, "0.0.0.0")), host);
  for (const host of ["<ip>", "localhost", "1.2.3.4.example", "1.2.3", "x1.2.3.4", "evil.example", ""]) {
    assert.not(guard.allowsHost(asked(host, "0.0.0.0")), host);
  }
  expectStandings(guard, "192.168.1.5:5600", [
    ["http://192.168.1.5:5600", "trusted"],
    ["http://192.168.1.5", "foreign"],
    ["http://192.168.1.6:5600", "foreign"],
    ["http://127.0.0.1:5600", "foreign"],
    ["http://desk.example:5600", "trusted"],
  ]);
  expectStandings(guard, "desk.example:5600", [["http://6.6.6.6:5600", "foreign"]]);
});

/** Behind a proxy: what the options list, what Host and the forwarded headers say, and what follows. */
const BEHIND_PROXY: readonly (readonly [
  listed: false | string | undefined,
  asked: readonly [host: string, forwarded?: string, proto?: string],
  served: boolean,
  page?: readonly [origin: string, standing: OriginStanding] | undefined,
  bound?: string,
])[] = [
  // The proxy passes the public name on in Host.
  [undefined, ["site.example"], false],
  ["site.example", ["site.example"], true, ["https://site.example", "trusted"]],
  // The proxy puts the upstream into Host, and the public name beside it: it must be listed, since a page can lead any
  // name to the proxy.
  [undefined, [OWN_HOST, "site.example"], false],
  [undefined, [OWN_HOST, "site.example", "https"], false, ["https://site.example", "foreign"]],
  [false, [OWN_HOST, "site.example"], true, ["http://site.example", "foreign"]],
  [undefined, [OWN_HOST, "192.168.1.5:5600"], false],
  [undefined, [OWN_HOST, "localhost.site.example"], false],
  [undefined, [OWN_HOST, "localhost:8443", "https"], true, ["https://localhost:8443", "trusted"]],
  ["site.example", [OWN_HOST, "site.example, inner.example", "https, http"], true, ["https://site.example", "trusted"]],
  [undefined, [OWN_HOST, "localhost:80", "http"], true, ["https://localhost", "foreign"]],
  // Apache appends its name to what the page has sent itself.
  [undefined, [OWN_HOST, "localhost, evil.example"], false],
  [undefined, [OWN_HOST, "localhost:8443, 127.0.0.1:80"], true],
  ["site.example", [OWN_HOST, "site.example"], true, ["http://other.example", "foreign"]],
  ["site.example", [OWN_HOST, "site.example"], true, ["https://site.example", "trusted"]],
  ["site.example", [OWN_HOST, "other.example"], false],
  // A page that leads its own name here can send any header to it, but not another Host.
  [undefined, ["evil.example:5600", "localhost"], false, ["http://evil.example:5600", "foreign"]],
  ["site.example", ["evil.example:5600", "site.example"], false, ["http://evil.example:5600", "foreign"]],
  [undefined, ["evil.example:1", "evil.example:1"], false, ["http://evil.example:1", "foreign"], "0.0.0.0"],
  [false, ["evil.example:5600", "evil.example:5600"], true, ["http://evil.example:5600", "foreign"]],
  [undefined, ["app:5600", "localhost:5600"], true, undefined, "0.0.0.0"],
  [undefined, ["app:5600", "192.168.1.5:5600"], true, undefined, "192.168.1.5"],
  [undefined, ["app:5600", "192.168.1.6:5600"], false, undefined, "192.168.1.5"],
  [undefined, ["localhost:5600", "evil.example:1"], false, ["http://evil.example:1", "foreign"], "0.0.0.0"],
  // In a container the proxy may put a name of its own network into Host: both are listed then.
  ["site.example", ["app:8080", "site.example"], false, undefined, "0.0.0.0"],
  ["site.example app", ["app:8080", "site.example", "https"], true, ["https://site.example", "trusted"], "0.0.0.0"],
];

for (const [listed, [host, forwarded, proto], served, page, bound = "127.0.0.1"] of BEHIND_PROXY) {
  const names = [host, forwarded, proto, listed, bound].filter(Boolean).join(" ");
  test(`behind a proxy (${names}) it is ${served ? "served" : "refused"}, and ${page?.join(" ") ?? "no page asks"}`, () => {
    const allowedHosts = typeof listed === "string" ? listed.split(" ") : listed;
    const guard = guardOf({ trustProxy: true, allowedHosts });
    const request = asked(host, bound, {
      ...(forwarded !== undefined && { "x-forwarded-host": forwarded }),
      ...(proto !== undefined && { "x-forwarded-proto": proto }),
    });
    assert.is(guard.allowsHost(request), served);
    if (page !== undefined) assert.is(guard.originStanding(page[0], request), page[1]);
  });
}

test("what is refused names the header that is at fault", () => {
  const forwarded = { "x-forwarded-host": "aw.example:1" };
  for (const [rules, bound, host, header, value] of [
    [{ trustProxy: true }, "127.0.0.1", "127.0.0.1:5600", "X-Forwarded-Host", "aw.example:1"],
    [{ trustProxy: true }, undefined, "app", "X-Forwarded-Host", "aw.example:1"],
    [{ trustProxy: true, allowedHosts: ["b"] }, "0.0.0.0", "b", "X-Forwarded-Host", "aw.example:1"],
    [{ trustProxy: true, allowedHosts: ["aw.example"] }, "0.0.0.0", "app", "Host", "app"],
    [{}, "127.0.0.1", "app:1", "Host", "app:1"],
    [{ allowedHosts: ["b"] }, undefined, "", "Host", ""],
  ] as const) {
    assert.equal(guardOf(rules).wrongHost(asked(host, bound, forwarded)), { header, value });
  }
});

test("a plain socket has its bound address as a name beside a list, one with TLS does not", () => {
  const guard = guardOf({ allowedHosts: ["vm.lan"] });
  for (const [name, bound] of [
    ["192.168.1.5", "192.168.1.5"],
    ["[fe80::1]", "fe80::1"],
  ] as const) {
    const request = asked(`${name}:5600`, bound);
    assert.ok(guard.allowsHost(request), name);
    assert.is(guard.originStanding(`http://${name}:5600`, request), "trusted");
    assert.not(guard.allowsHost({ ...request, isEncrypted: true }), name);
    assert.not(guard.allowsHost(asked("192.168.1.6", bound)));
  }
});

test("forwarded headers mean nothing without trustProxy", () => {
  const forwarded = { "x-forwarded-host": "site.example", "x-forwarded-proto": "https" };
  const request = asked("127.0.0.1:5600", "127.0.0.1", forwarded);
  assert.is(guardOf().originStanding("https://site.example", request), "foreign");
  assert.not(guardOf().allowsHost(asked("site.example", "127.0.0.1", { "x-forwarded-host": "localhost" })));
});

test("over TLS the server's own pages are those with https, a listed name has both", () => {
  const over = (host: string): ConnectionFacts => ({ ...asked(host, "127.0.0.1"), isEncrypted: true });
  assert.is(guardOf().originStanding("https://localhost:5600", over("localhost:5600")), "trusted");
  assert.is(guardOf().originStanding("https://localhost", over("localhost")), "trusted");
  assert.is(guardOf().originStanding("http://localhost:5600", over("localhost:5600")), "foreign");
  const listed = guardOf({ allowedHosts: ["site.example"] });
  for (const scheme of ["http", "https"]) {
    assert.is(listed.originStanding(`${scheme}://site.example`, asked("site.example", "0.0.0.0")), "trusted");
    assert.is(listed.originStanding(`${scheme}://site.example:1`, asked("site.example", "0.0.0.0")), "foreign");
  }
});

test("where no socket is known the scheme of the request says nothing against a page of its name", () => {
  // Such as SvelteKit's server, which takes every request for one over TLS.
  const guessed: ConnectionFacts = { ...asked("127.0.0.1:3000"), isEncrypted: true };
  assert.is(guardOf({ trustAnyOwnName: true }).originStanding("http://127.0.0.1:3000", guessed), "trusted");
  const known: ConnectionFacts = { ...guessed, boundAddress: "127.0.0.1" };
  assert.is(guardOf({ trustAnyOwnName: true }).originStanding("http://127.0.0.1:3000", known), "foreign");
});

test("without a list the page of the address that was asked is the server's own: nobody leads his address here", () => {
  for (const allowedHosts of [undefined, false] as const) {
    expectStandings(guardOf({ allowedHosts }), "192.168.1.5:5600", [
      ["http://192.168.1.5:5600", "trusted"],
      ["http://192.168.1.5", "foreign"],
      ["http://192.168.1.6:5600", "foreign"],
    ]);
    expectStandings(guardOf({ allowedHosts }), "[fe80::1]:5600", [["http://[fe80::1]:5600", "trusted"]]);
    expectStandings(guardOf({ allowedHosts }), "desk.example", [["http://desk.example", "foreign"]]);
  }
  expectStandings(guardOf({ allowedHosts: ["desk.example"] }), "192.168.1.5", [["http://192.168.1.5", "foreign"]]);
});

test("where the host asks for a session, the own pages are those of the name that was asked, over any scheme", () => {
  const guard = guardOf({ trustAnyOwnName: true });
  const cases: readonly (readonly [host: string, origin: string, standing: OriginStanding])[] = [
    ["site.example", "http://site.example", "trusted"],
    ["site.example", "https://site.example", "trusted"],
    ["SITE.example:8080", "http://site.EXAMPLE:8080", "trusted"],
    ["site.example:8080", "http://site.example", "foreign"],
    ["site.example", "http://other.example", "foreign"],
    ["site.example", "http://sub.site.example", "foreign"],
    ["site.example", "null", "foreign"],
    ["", "http://site.example", "foreign"],
  ];
  for (const [host, origin, standing] of cases) expectStandings(guard, host, [[origin, standing]]);
});

test.run();
