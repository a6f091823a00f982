// Connections: how many, and what becomes of those that say nothing.
import diagnostics from "node:diagnostics_channel";
import { EventEmitter, once } from "node:events";
import { createServer, get, type IncomingMessage, type Server } from "node:http";
import type { Socket } from "node:net";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import { type ConnectionLimits, limitConnections, networkOf } from "../../src/http/connections.js";
import { listenerOf } from "../../src/http/listen.js";
import { allow } from "../../src/index.js";
import { BUCKET, inTime, recordingLogger, type Served, withServer } from "../harness.js";
import { json, refusal, until } from "./client.js";
import { connect, head, type RawConnection, withConnection } from "./raw.js";
import { door, fill } from "./storages.js";

const test = suite("connections");

const INFO = head("GET /api/0/info", "Host: localhost");
const HEARTBEAT = "POST /api/0/buckets/b/heartbeat?pulsetime=1";
/** Short enough to be waited for. */
const SHORT: ConnectionLimits = { silentMillis: 60 };

function withLimits(connections: ConnectionLimits, body: (served: Served) => Promise<void>): Promise<void> {
  return withServer({}, body, { connections });
}

async function answers(connection: RawConnection): Promise<void> {
  connection.write(INFO);
  json(await inTime(connection.answer(), "the request"));
}

async function readFeed(port: number): Promise<IncomingMessage> {
  const [response] = (await once(get({ port, path: "/api/0/feed", agent: false }), "response")) as [IncomingMessage];
  response.on("error", () => undefined);
  await once(response, "data");
  return response;
}

test("an IPv6 client counts by its network, since it chooses the rest of its address", () => {
  for (const [address, network] of [
    ["2001:db8:1:2::1", "2001:db8:1:2::/64"],
    ["2001:db8:1:2:ffff:1:2:3", "2001:db8:1:2::/64"],
    ["2001:0DB8:0001:0002::", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["2001:db8:1::5:6:7:8", "2001:db8:1:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64%eth0"],
    ["::ffff:192.168.1.5", "192.168.1.5"],
    ["192.168.1.5", "192.168.1.5"],
    [undefined, undefined],
  ] as const) {
    assert.is(networkOf(address), network);
  }
});

test("a connection that says nothing is closed without a word", () =>
  withLimits(SHORT, async ({ port }) => {
    await withConnection(port, async (connection) => {
      assert.is((await inTime(connection.rest(), "the connection")).length, 0);
    });
  }));

test("a head that does not come to its end is answered with 408, and its connection is closed", () =>
  withLimits(SHORT, async ({ port }) => {
    for (const begun of ["G", "GET /api/0/info HTTP/1.1\r\nHost: localhost\r\n"]) {
      await withConnection(port, async (connection) => {
        connection.write(begun);
        refusal(await inTime(connection.answer(), "the request"), 408);
        assert.is((await inTime(connection.rest(), "the connection")).length, 0);
      });
    }
  }));

test("a body that does not come to its end is answered with 408, and its connection is closed", () =>
  withLimits(SHORT, async ({ port, send }) => {
    json(await send("POST", "/api/0/buckets/b", BUCKET));
    for (const path of [HEARTBEAT, "POST /api/0/buckets/b/events", "POST /api/0/import"]) {
      for (const length of ["Content-Length: 60000", "Content-Length: 900000", "Transfer-Encoding: chunked"]) {
        await withConnection(port, async (connection) => {
          connection.write(head(path, "Host: localhost", "Content-Type: application/json", length));
          connection.write(length.startsWith("T") ? "4\r\n[   \r\n" : "[   ");
          refusal(await inTime(connection.answer(), `${path} with ${length}`), 408);
          await inTime(connection.rest(), "the connection");
        });
      }
    }
  }));

test("a connection that has asked something may be silent for longer", () =>
  withLimits(SHORT, async ({ port }) => {
    await withConnection(port, async (kept) => {
      await answers(kept);
      await withConnection(port, (silent) => inTime(silent.rest(), "the silent connection"));
      await answers(kept);
    });
  }));

test("a response that its client does not take is given up", async () => {
  const storage = memory();
  await fill(storage, "b", 60_000, 1000);
  const accepted: Socket[] = [];
  const keep = (message: unknown): void => void accepted.push((message as { socket: Socket }).socket);
  const serve = async ({ port }: Served): Promise<void> => {
    diagnostics.subscribe("net.server.socket", keep);
    await withConnection(port, async (stuck) => {
      stuck.socket.pause();
      stuck.write(head("GET /api/0/export", "Host: localhost"));
      await until(() => accepted[0]?.destroyed === true, "the connection is given up");
    });
  };
  try {
    await withServer({ storage }, serve, { connections: SHORT });
  } finally {
    diagnostics.unsubscribe("net.server.socket", keep);
  }
});

test("beyond the limit the connection that was silent longest makes room", () =>
  withLimits({ total: 3 }, async ({ port, send }) => {
    json(await send("GET", "/api/0/info"));
    const silent = [await connect(port), await connect(port)];
    try {
      await withConnection(port, answers);
      assert.is((await inTime(silent[0]?.rest() as Promise<Buffer>, "the oldest")).length, 0);
      await answers(silent[1] as RawConnection);
    } finally {
      for (const { socket } of silent) socket.destroy();
    }
  }));

test("readers of the feed leave room for others, which have to make room for each other", () => {
  const serve = async ({ port }: Served): Promise<void> => {
    const readers: IncomingMessage[] = [];
    // One by one: a connection counts until its request for the feed has arrived.
    for (let count = 0; count < 3; count++) readers.push(await readFeed(port));
    const silent = [await connect(port), await connect(port)];
    try {
      await withConnection(port, answers);
      assert.is((await inTime(silent[0]?.rest() as Promise<Buffer>, "the oldest")).length, 0);
      assert.equal(
        readers.map(({ closed }) => closed),
        [false, false, false],
      );
    } finally {
      for (const { socket } of silent) socket.destroy();
      for (const reader of readers) reader.destroy();
    }
  };
  return withServer({ feedReaders: 3 }, serve, { connections: { total: 2 } });
});

test("where all have asked something, the connection that is idle longest makes room", () =>
  withLimits({ total: 3 }, async ({ port }) => {
    const kept = [await connect(port), await connect(port), await connect(port)] as const;
    try {
      for (const connection of kept) await answers(connection);
      // The first one that was opened is no more the one that was idle longest.
      await answers(kept[0]);
      await withConnection(port, answers);
      assert.is((await inTime(kept[1].rest(), "the idle one")).length, 0);
      await answers(kept[0]);
      await answers(kept[2]);
    } finally {
      for (const { socket } of kept) socket.destroy();
    }
  }));

test("where every connection waits for its response a further one is closed, and the others go on", async () => {
  const gate = door();
  let asked = 0;
  const authorize = async () => {
    asked++;
    await gate.opened;
    return allow();
  };
  const serve = ({ port }: Served): Promise<void> =>
    withConnection(port, (first) =>
      withConnection(port, async (second) => {
        for (const connection of [first, second]) connection.write(INFO);
        await until(() => asked === 2, "both requests are under way");
        await withConnection(port, async (third) => {
          third.write(INFO);
          assert.is((await inTime(third.rest(), "the third")).length, 0);
        });
        gate.open();
        for (const connection of [first, second]) json(await inTime(connection.answer(), "the request"));
      }),
    );
  await withServer({ authorize }, serve, { connections: { total: 2 } });
});

/** All that a test has made. A server looks at its open connections again and again, also after the test. */
const sockets: FakeSocket[] = [];
test.after.each(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

class FakeSocket extends EventEmitter {
  destroyed = false;
  readonly bytesWritten = 0;
  readonly writableLength = 0;
  readonly bytesRead = 0;
  readonly remoteAddress: string | undefined;
  readonly remotePort: number;

  constructor(remoteAddress: string | undefined, remotePort = 0) {
    super();
    this.remoteAddress = remoteAddress;
    this.remotePort = remotePort;
    sockets.push(this);
  }

  destroy(): void {
    this.destroyed = true;
    this.emit("close");
  }
}

/** Connections from addresses, in this order; tells which of them are closed in the end. */
function closedOf(
  addresses: readonly (string | undefined)[],
  { limits = { perAddress: 2 }, hasProxy = false }: { limits?: ConnectionLimits; hasProxy?: boolean } = {},
): boolean[] {
  const server = new EventEmitter();
  limitConnections(server as Server, limits, hasProxy);
  const made = addresses.map((address, index) => new FakeSocket(address, index));
  for (const socket of made) server.emit("connection", socket);
  return made.map(({ destroyed }) => destroyed);
}

/** A request over a connection. @returns ends its response */
function askBy(server: EventEmitter, socket: FakeSocket): () => void {
  const response = new EventEmitter();
  server.emit("request", { socket }, response);
  return () => response.emit("close");
}

test("an address has a limit of its own, loopback and what comes by a trusted proxy has none", () => {
  assert.equal(closedOf(["10.0.0.1", "10.0.0.1", "10.0.0.2", "10.0.0.1"]), [true, false, false, false]);
  for (const local of ["127.0.0.1", "::1", "::ffff:127.0.0.1"]) {
    assert.equal(closedOf([local, local, local]), [false, false, false]);
  }
  assert.equal(closedOf(["10.0.0.1", "10.0.0.1", "10.0.0.1"], { hasProxy: true }), [false, false, false]);
});

test("without options there may be 64 connections of an address, and 512 in all", () => {
  const places = (closed: readonly boolean[]): number[] => closed.flatMap((isClosed, at) => (isClosed ? [at] : []));
  const ofOne = (count: number) => Array.from({ length: count }, () => "10.0.0.1");
  assert.equal(places(closedOf(ofOne(64), { limits: {} })), []);
  assert.equal(places(closedOf([...ofOne(65), "10.0.0.2"], { limits: {} })), [0]);
  const ofMany = (count: number) => Array.from({ length: count }, (_, at) => `10.0.0.${at % 200}`);
  assert.equal(places(closedOf(ofMany(512), { limits: {} })), []);
  assert.equal(places(closedOf(ofMany(513), { limits: {} })), [0]);
});

test("beyond the limit of an address its idle connection makes room, and no other's", () => {
  const server = new EventEmitter();
  limitConnections(server as Server, { perAddress: 2 }, false);
  const open = (address: string, port: number): FakeSocket => {
    const socket = new FakeSocket(address, port);
    server.emit("connection", socket);
    return socket;
  };
  const other = open("10.0.0.2", 1);
  const [one, two] = [open("10.0.0.1", 1), open("10.0.0.1", 2)];
  askBy(server, other)();
  const endOne = askBy(server, one);
  askBy(server, two)();
  const three = open("10.0.0.1", 3);
  assert.equal(
    [other, one, two, three].map(({ destroyed }) => destroyed),
    [false, false, true, false],
  );
  // Each waits for its response.
  askBy(server, three);
  assert.ok(open("10.0.0.1", 4).destroyed);
  endOne();
  assert.not(open("10.0.0.1", 5).destroyed);
  assert.equal([one.destroyed, three.destroyed], [true, false]);
});

test("an address that has closed a connection may open another one", () => {
  const server = new EventEmitter();
  limitConnections(server as Server, { perAddress: 1 }, false);
  for (let round = 0; round < 3; round++) {
    const [first, second] = [new FakeSocket("10.0.0.1"), new FakeSocket("10.0.0.1")];
    server.emit("connection", first);
    askBy(server, first);
    server.emit("connection", second);
    assert.equal([first.destroyed, second.destroyed], [false, true]);
    first.destroy();
  }
});

test("over TLS requests come by another socket, which is that of the same peer", () => {
  const server = new EventEmitter();
  limitConnections(server as Server, { total: 2 }, false);
  const made = [1, 2, 3].map((port) => new FakeSocket("127.0.0.1", port));
  const [first, second, third] = made as [FakeSocket, FakeSocket, FakeSocket];
  server.emit("connection", first);
  server.emit("connection", second);
  server.emit("request", { socket: new FakeSocket("127.0.0.1", 1) }, new EventEmitter());
  server.emit("connection", third);
  assert.equal([first.destroyed, second.destroyed, third.destroyed], [false, true, false]);
});

test("connections that cannot be accepted are reported once, and end nothing", async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { logger, warnings } = recordingLogger();
  const listener = listenerOf(
    server,
    { place: { host: "127.0.0.1", secondSocket: undefined, isTls: false }, connections: {} },
    { logger },
  );
  for (let count = 0; count < 3; count++) {
    server.emit("error", Object.assign(new Error("accept EMFILE"), { code: "EMFILE" }));
  }
  assert.equal(warnings, ["a connection could not be accepted (EMFILE); this is logged once"]);
  await listener.close();
});

test.run();
