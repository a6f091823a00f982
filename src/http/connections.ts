import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { isLoopback } from "./guard.js";

/** How many connections a socket accepts, and how long one may be silent (docs/reference/limits.md). */
export interface ConnectionLimits {
  /**
   * Connections at a time, without those of readers of the feed, which have their own limit. When the limit is reached,
   * the server closes a connection without a request, else the one that is idle longest, else the new one.
   * @default 512
   */
  readonly total?: number | undefined;
  /**
   * Connections from one address, or from one IPv6 network of 64 bits. When the limit is reached, one of the same
   * address is closed in the same way. Loopback has no such limit, because all programs of this machine share it.
   * Neither have connections through a trusted proxy.
   * @default 64
   */
  readonly perAddress?: number | undefined;
  /**
   * Milliseconds that a connection may be silent: from its start to the end of the first request head, and between two
   * pieces of a body that the server waits for. A client may take four times as long to accept a piece of a response.
   * @default 30_000
   */
  readonly silentMillis?: number | undefined;
}

/** The connections of a server with limits. */
export interface LimitedConnections {
  /** Closes connections without a request. Node does not count them as idle. */
  closeSilent(): void;
}

const DEFAULT_TOTAL = 512;
const DEFAULT_PER_ADDRESS = 64;
const DEFAULT_SILENT_MILLIS = 30_000;
/** Checks of a connection within the time that it may be silent. */
const LOOKS = 6;
/** How much longer a client may pause its response: users pause downloads. */
const PATIENCE = 4;

/** Error code of Node for a request that does not arrive in time. */
const TOO_SLOW = "ERR_HTTP_REQUEST_TIMEOUT";

/** Connections that are left out of a server's total. */
interface Uncounted {
  count: number;
}

/** By socket of a limited server. */
const uncountedOf: WeakMap<object, Uncounted> = new WeakMap();

/** Leaves the connection of an endless response out of the total: something else limits it. @returns counts it again */
export function leaveUncounted(socket: object | undefined): () => void {
  const uncounted = socket && uncountedOf.get(socket);
  if (uncounted === undefined) return () => {};
  uncounted.count++;
  return () => void uncounted.count--;
}

/** Facts about a connection. */
interface Connection {
  /** The address whose limit applies; `undefined` if there is none. */
  readonly address: string | undefined;
  /** The socket of the connection itself. */
  readonly raw: Socket;
  /** The socket that requests arrive on: over TLS a different one, with the same peer. */
  socket: Socket;
  /** The latest request; `undefined` if there was none. */
  request: IncomingMessage | undefined;
  /** Requests in progress. */
  underWay: number;
  /** Bytes received up to the last check. */
  bytesRead: number;
  /** Consecutive checks at which it was silent. */
  silentLooks: number;
  /** Bytes of responses that its client had not taken at the last check. */
  queued: number;
  bytesWritten: number;
  /** Consecutive checks at which its client took nothing. */
  stuckLooks: number;
}

/**
 * Keeps the connections of a server within limits.
 *
 * @param hasProxy whether all connections come from a trusted proxy
 */
export function limitConnections(server: Server, limits: ConnectionLimits, hasProxy: boolean): LimitedConnections {
  const { total = DEFAULT_TOTAL, perAddress = DEFAULT_PER_ADDRESS, silentMillis = DEFAULT_SILENT_MILLIS } = limits;
  const open = new Map<Socket, Connection>();
  const overTls = new WeakMap<Socket, Connection>();
  /** Connections kept open after a response, the one that is idle longest first. */
  const idle = new Set<Connection>();
  const uncounted: Uncounted = { count: 0 };
  const isTls = "setSecureContext" in server;
  const byAddress = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  /** Whether there is room for another connection from an address. */
  function makeRoom(address: string | undefined): boolean {
    if (address !== undefined && (byAddress.get(address) ?? 0) >= perAddress) {
      return closeOne((connection) => connection.address === address);
    }
    return open.size - uncounted.count < total || closeOne(() => true);
  }

  /** Closes the connection that is silent longest, else the one that is idle longest. @returns whether there was one */
  function closeOne(isMeant: (connection: Connection) => boolean): boolean {
    const dispensable =
      findFirst(open.values(), (it) => it.request === undefined && isMeant(it)) ?? findFirst(idle, isMeant);
    if (dispensable === undefined) return false;
    forget(dispensable);
    dispensable.socket.destroy();
    dispensable.raw.destroy();
    return true;
  }

  function forget(connection: Connection): void {
    idle.delete(connection);
    if (open.delete(connection.raw)) count(connection.address, -1);
  }

  /** The connection of a request. */
  function connectionOf({ socket }: IncomingMessage): Connection | undefined {
    return open.get(socket) ?? overTls.get(socket) ?? secured(socket);
  }

  /** Finds the connection below a TLS socket. */
  function secured(socket: Socket): Connection | undefined {
    for (const [raw, connection] of open) {
      if (raw.remotePort !== socket.remotePort || raw.remoteAddress !== socket.remoteAddress) continue;
      overTls.set(socket, connection);
      uncountedOf.set(socket, uncounted);
      return Object.assign(connection, { socket, bytesRead: 0, bytesWritten: 0 });
    }
    return undefined;
  }

  function look(): void {
    for (const connection of open.values()) {
      const { socket, raw } = connection;
      const isNew = connection.request === undefined;
      const comes = socket.bytesRead !== connection.bytesRead;
      connection.bytesRead = socket.bytesRead;
      // A head must arrive within the limit; for a body, any piece is enough.
      const isSilent = isNew || (!comes && waitsForBody(connection.request));
      connection.silentLooks = isSilent ? connection.silentLooks + 1 : 0;
      if (connection.silentLooks >= LOOKS) {
        // No response is possible before the handshake ends.
        if (isTls && socket === raw) raw.destroy();
        else giveUp(socket);
      }
      if (isStuck(socket, connection)) socket.destroy();
    }
    if (open.size === 0) stopLooking();
  }

  function stopLooking(): void {
    clearInterval(timer);
    timer = undefined;
  }

  function giveUp(socket: Socket): void {
    if (socket.bytesRead === 0) socket.destroy();
    else server.emit("clientError", Object.assign(new Error("too slow"), { code: TOO_SLOW }), socket);
  }

  function count(address: string | undefined, by: number): void {
    if (address === undefined) return;
    const counted = (byAddress.get(address) ?? 0) + by;
    if (counted > 0) byAddress.set(address, counted);
    else byAddress.delete(address);
  }

  server.on("connection", (socket: Socket) => {
    const { remoteAddress } = socket;
    const address = hasProxy || isLoopback(remoteAddress) ? undefined : networkOf(remoteAddress);
    if (!makeRoom(address)) {
      socket.destroy();
      return;
    }
    count(address, 1);
    const connection: Connection = {
      address,
      raw: socket,
      socket,
      request: undefined,
      underWay: 0,
      bytesRead: 0,
      silentLooks: 0,
      queued: 0,
      bytesWritten: 0,
      stuckLooks: 0,
    };
    open.set(socket, connection);
    uncountedOf.set(socket, uncounted);
    socket.once("close", () => forget(connection));
    timer ??= setInterval(look, silentMillis / LOOKS);
    timer.unref();
  });
  server.on("close", stopLooking);
  server.on("secureConnection", (socket: Socket) => void secured(socket));
  server.prependListener("request", (request: IncomingMessage, response: ServerResponse) => {
    const connection = connectionOf(request);
    if (connection === undefined) return;
    connection.request = request;
    connection.underWay++;
    idle.delete(connection);
    response.once("close", () => {
      connection.underWay--;
      if (connection.underWay === 0 && open.has(connection.raw)) idle.add(connection);
    });
  });

  return {
    closeSilent() {
      for (const { raw, request } of open.values()) if (request === undefined) raw.destroy();
    },
  };
}

/** The network of one client: an IPv4 address, or the IPv6 network of 64 bits in which a client chooses its address. */
export function networkOf(address: string | undefined): string | undefined {
  const [text = "", zone] = address?.split("%") ?? [];
  if (!text.includes(":")) return address;
  const mapped = /^::ffff:(\d+(?:\.\d+){3})$/i.exec(text)?.[1];
  if (mapped !== undefined) return mapped;
  const [front = "", back] = text.split("::");
  const groups = front.split(":").filter((group) => group !== "");
  const rest = back?.split(":").filter((group) => group !== "").length ?? 0;
  // The groups that `::` leaves out.
  if (back !== undefined) groups.push(...Array.from({ length: Math.max(0, 8 - groups.length - rest) }, () => "0"));
  groups.push(...(back?.split(":") ?? []));
  const network = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(":")}::/64${zone === undefined ? "" : `%${zone}`}`;
}

function findFirst<Value>(values: Iterable<Value>, test: (value: Value) => boolean): Value | undefined {
  for (const value of values) if (test(value)) return value;
  return undefined;
}

/**
 * Records the size of the queue. @returns whether the client took nothing for too long; an empty queue means that the
 * storage is still reading
 */
function isStuck({ writableLength, bytesWritten }: Socket, connection: Connection): boolean {
  const moves = writableLength !== connection.queued || bytesWritten !== connection.bytesWritten;
  connection.stuckLooks = writableLength === 0 || moves ? 0 : connection.stuckLooks + 1;
  Object.assign(connection, { queued: writableLength, bytesWritten });
  return connection.stuckLooks >= LOOKS * PATIENCE;
}

/** Whether a reader waits for more of a body. A body without a reader waits for the server. */
function waitsForBody(request: IncomingMessage | undefined): boolean {
  if (request === undefined || request.complete || request.readableLength > 0) return false;
  return request.readableFlowing === true || request.listenerCount("readable") > 0;
}
