import type { IncomingMessage, ServerResponse } from "node:http";
import { ActivityError, mustBe, quote, serverClosed } from "./errors.js";
import { errorResponse } from "./http/errors.js";
import { plainResponse, type ServerFetch } from "./http/fetch.js";
import type { NodeHandler } from "./http/node.js";
import { sendResponse } from "./http/node-response.js";
import { createWebDoors } from "./http/web-doors.js";
import { errorLogger, guarded, type Logger, silentLogger } from "./logger.js";
import type { ActivityServerOptions } from "./options.js";
import { type ActivityServer, assembleServer } from "./server.js";
import { ACTIVITY } from "./util/in-process.js";

/** How the servers of tenants are opened and closed. */
export interface TenantsOptions<Identity extends object = object, Context = never> {
  /**
   * Returns the options of a tenant's server. Called each time that the tenant is opened. An error reaches the caller,
   * and the next use calls it again.
   */
  readonly open: (
    id: string,
  ) => ActivityServerOptions<Identity, Context> | Promise<ActivityServerOptions<Identity, Context>>;
  /** Most open tenants; more only while all of them have work in progress. @default 1000 */
  readonly max?: number | undefined;
  /** Milliseconds after which an unused tenant is closed. @default 15 minutes */
  readonly idleMillis?: number | undefined;
  /**
   * Receives errors of `open` that `nodeHandler` and `fetch` respond to, and failed closings. `false` for none.
   * @default `console.error`
   */
  readonly logger?: Logger | false | undefined;
}

/** A server for each tenant: opened when it is needed, closed when it is unused. */
export interface Tenants<Identity extends object = object, Context = never> extends AsyncDisposable {
  /** Number of open tenants. */
  readonly size: number;
  /**
   * Returns the tenant's server. It is closed once it is unused: get it again for each piece of work, or call `use`.
   *
   * @throws ActivityError `INVALID_INPUT` for an ID, `STORAGE_CLOSED` after `close()`; what `open` throws
   */
  get(id: string): Promise<ActivityServer<Identity, Context>>;
  /** Runs work with the tenant's server, which stays open until the work is done. @throws as `get` and the work do */
  use<Result>(
    id: string,
    work: (server: ActivityServer<Identity, Context>) => Result | Promise<Result>,
  ): Promise<Result>;
  /** Passes a request of Node to the tenant's server. Never rejects: the response to an error of `open` tells of it. */
  nodeHandler(id: string, ...request: Parameters<NodeHandler<Context>>): Promise<void>;
  /** Passes a web-standard request to the tenant's server. Never rejects, like `nodeHandler`. */
  fetch(id: string, ...request: Parameters<ServerFetch<Context>>): Promise<Response>;
  /**
   * Runs work for one tenant after the other.
   *
   * @param ids the tenants, opened if necessary @default those that are open
   * @throws what the work throws for the first tenant for which it fails
   */
  each(
    work: (server: ActivityServer<Identity, Context>, id: string) => unknown,
    ids?: Iterable<string> | AsyncIterable<string>,
  ): Promise<void>;
  /** Refuses further requests, and closes all tenants. May be called twice. */
  close(): Promise<void>;
}

/** A tenant that is open, or being opened. */
class Tenant<Identity extends object, Context> {
  readonly id: string;
  server: ActivityServer<Identity, Context> | undefined;
  opening: Promise<unknown> = Promise.resolve();
  /** Uses in progress. */
  uses = 0;
  usedAt: number = performance.now();
  /** What its server had started at that time. */
  #started = 0;

  constructor(id: string) {
    this.id = id;
  }

  /** Whether it must stay open. */
  get isBusy(): boolean {
    return this.uses > 0 || this.server === undefined || this.server[ACTIVITY].running > 0;
  }

  /** Notes a use. */
  touch(): void {
    this.#started = this.#startedNow;
    this.usedAt = performance.now();
  }

  /** Notes calls of its server that did not come through here. */
  look(): void {
    if (this.isBusy || this.#startedNow !== this.#started) this.touch();
  }

  get #startedNow(): number {
    return this.server?.[ACTIVITY].started ?? 0;
  }
}

const DEFAULT_MAX = 1_000;
const DEFAULT_IDLE_MILLIS = 15 * 60_000;

/**
 * Creates servers for many tenants in one process, such as the users of an app. Nothing is opened before it is used.
 *
 * @throws TypeError for options that cannot work
 */
export function createTenants<Identity extends object = object, Context = never>(
  options: TenantsOptions<Identity, Context>,
): Tenants<Identity, Context> {
  const { open, max, idleMillis, logger } = checkedOptions(options);
  /** The least recently used first. */
  const tenants = new Map<string, Tenant<Identity, Context>>();
  /** Tenants that are being closed. None of these rejects. */
  const leaving = new Map<string, Promise<void>>();
  let isClosingSoon = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let closing: Promise<void> | undefined;

  /** Starts a use, which `leave` ends. Returns no promise for an open tenant: waiting costs each request a turn. */
  function enter(id: string): Tenant<Identity, Context> | Promise<Tenant<Identity, Context>> {
    checkId(id);
    if (closing !== undefined) throw serverClosed();
    const left = leaving.get(id);
    if (left !== undefined) return left.then(() => enter(id));
    let tenant = tenants.get(id);
    if (tenant === undefined) tenant = create(id);
    else {
      tenants.delete(id);
      tenants.set(id, tenant);
    }
    tenant.uses++;
    if (tenant.server !== undefined) return tenant;
    return tenant.opening.then(() => tenant);
  }

  function create(id: string): Tenant<Identity, Context> {
    const tenant = new Tenant<Identity, Context>(id);
    tenants.set(id, tenant);
    tenant.opening = openServer(tenant);
    return tenant;
  }

  async function openServer(tenant: Tenant<Identity, Context>): Promise<void> {
    try {
      tenant.server = assembleServer(await open(tenant.id), createWebDoors);
    } catch (thrown) {
      tenants.delete(tenant.id);
      throw thrown;
    }
  }

  function leave(tenant: Tenant<Identity, Context>): void {
    tenant.uses--;
    tenant.touch();
    schedule(idleMillis);
    if (tenants.size <= max || isClosingSoon) return;
    isClosingSoon = true;
    // In a later turn: whoever has just got a server can start a call of it.
    setTimeout(closeExcess, 0);
  }

  function closeExcess(): void {
    isClosingSoon = false;
    let excess = tenants.size - max;
    for (const tenant of excess > 0 ? tenants.values() : []) {
      if (tenant.isBusy) continue;
      void closeTenant(tenant);
      if (--excess === 0) return;
    }
  }

  function schedule(millis: number): void {
    if (timer !== undefined || tenants.size === 0 || closing !== undefined) return;
    timer = setTimeout(closeIdle, Math.min(millis, LONGEST_WAIT));
    // Outside Node it is a number.
    if (typeof timer === "object") timer.unref();
  }

  function closeIdle(): void {
    timer = undefined;
    let next = idleMillis;
    for (const tenant of [...tenants.values()]) {
      tenant.look();
      const rest = tenant.usedAt + idleMillis - performance.now();
      if (rest <= 0) void closeTenant(tenant);
      else next = Math.min(next, rest);
    }
    // Closes several at once rather than looking at all of them for each.
    schedule(Math.max(next, idleMillis / 10));
  }

  /** Never rejects. */
  function closeTenant(tenant: Tenant<Identity, Context>): Promise<void> {
    return remove(tenant, (server) => server.close()).catch((cause: unknown) => {
      logger.error(new Error(`cannot close tenant ${quote(tenant.id)}`, { cause }));
    });
  }

  /** Takes an open tenant out. Further uses wait until its server has ended. */
  function remove(
    { id, server }: Tenant<Identity, Context>,
    end: (server: ActivityServer<Identity, Context>) => Promise<void>,
  ): Promise<void> {
    tenants.delete(id);
    const ending = end(server as ActivityServer<Identity, Context>);
    const left = ending.catch(() => undefined).then(() => void leaving.delete(id));
    leaving.set(id, left);
    return ending;
  }

  /** Runs work while the tenant stays open. */
  async function use<Result>(
    id: string,
    work: (server: ActivityServer<Identity, Context>) => Result | Promise<Result>,
  ): Promise<Result> {
    const entered = enter(id);
    const tenant = entered instanceof Promise ? await entered : entered;
    try {
      return await work(tenant.server as ActivityServer<Identity, Context>);
    } finally {
      leave(tenant);
    }
  }

  async function closeAll(): Promise<void> {
    clearTimeout(timer);
    await Promise.allSettled(Array.from(tenants.values(), ({ opening }) => opening));
    for (const tenant of [...tenants.values()]) void closeTenant(tenant);
    await Promise.all(leaving.values());
  }

  function close(): Promise<void> {
    closing ??= closeAll();
    return closing;
  }

  return {
    get size() {
      return tenants.size;
    },
    get: (id) => use(id, (server) => server),
    use,
    async nodeHandler(id, ...given) {
      try {
        await use(id, (server) => server.nodeHandler(...given));
      } catch (thrown) {
        const response = given[1] as ServerResponse<IncomingMessage>;
        if (!response.headersSent && !response.destroyed) await sendResponse(response, errorResponse(thrown, logger));
      }
    },
    fetch: (id, ...given) =>
      use(id, (server) => server.fetch(...given)).catch((thrown) => plainResponse(errorResponse(thrown, logger))),
    async each(work, ids) {
      for await (const id of ids ?? [...tenants.keys()]) {
        if (ids === undefined && !tenants.has(id)) continue;
        await use(id, (server) => work(server, id));
      }
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Most that a timer can wait, in milliseconds. */
const LONGEST_WAIT = 2 ** 31 - 1;

/** @throws TypeError for options that cannot work */
function checkedOptions<Identity extends object, Context>(options: TenantsOptions<Identity, Context>) {
  const { open, max = DEFAULT_MAX, idleMillis = DEFAULT_IDLE_MILLIS, logger = errorLogger } = options;
  if (typeof open !== "function") throw new TypeError("open must be a function that returns the options of a server");
  if (!(Number.isInteger(max) && max > 0)) throw new TypeError(`max must be an integer from 1, got ${String(max)}`);
  if (!(typeof idleMillis === "number" && idleMillis > 0)) {
    throw new TypeError(`idleMillis must be a number above 0, got ${String(idleMillis)}`);
  }
  return { open, max, idleMillis, logger: guarded(logger || silentLogger) };
}

const MOST_CHARACTERS = 200;

/** Refuses IDs that would lead elsewhere as names of folders, namespaces or files. */
function checkId(id: unknown): asserts id is string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it refuses
  const isPath = /[/\\\0-\x1f\x7f]|^\.{1,2}$/;
  const wanted = `a string of 1 to ${MOST_CHARACTERS} characters`;
  if (typeof id !== "string" || id === "" || id.length > MOST_CHARACTERS) throw mustBe("the tenant's ID", wanted, id);
  if (isPath.test(id) || !id.isWellFormed()) {
    throw new ActivityError(
      "INVALID_INPUT",
      `the tenant's ID must not be a path or have control characters: ${quote(id)}`,
    );
  }
}
