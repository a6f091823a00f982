import type { IncomingMessage, ServerResponse } from "node:http";
import { quote, serverClosed } from "./errors.js";
import { errorResponse } from "./http/errors.js";
import { plainResponse, type ServerFetch } from "./http/fetch.js";
import type { NodeHandler } from "./http/node.js";
import { sendResponse } from "./http/node-response.js";
import { createWebDoors } from "./http/web-doors.js";
import { type ActivityServer, assembleServer } from "./server.js";
import { destroyServer, Tenant } from "./tenant.js";
import { checkedOptions, checkId, type TenantsOptions } from "./tenant-options.js";
import { unrefTimer } from "./util/unref-timer.js";

/** A server for each tenant: opened on demand, closed when it is unused. */
export interface Tenants<Identity extends object = object, Context = never> extends AsyncDisposable {
  /** Number of open tenants. */
  readonly size: number;
  /**
   * Returns the tenant's server. It is closed once it is unused: get it again for each piece of work, or call `use`.
   *
   * @throws ActivityError `INVALID_INPUT` for an ID, `STORAGE_CLOSED` after `close()`; the errors of `open`
   */
  get(id: string): Promise<ActivityServer<Identity, Context>>;
  /** Runs work with the tenant's server, which stays open for the work. @throws the errors of `get` and the work */
  use<Result>(
    id: string,
    work: (server: ActivityServer<Identity, Context>) => Result | Promise<Result>,
  ): Promise<Result>;
  /** Passes a request of Node to the tenant's server. Never rejects: an error of `open` becomes the response. */
  nodeHandler(id: string, ...request: Parameters<NodeHandler<Context>>): Promise<void>;
  /** Passes a web-standard request to the tenant's server. Never rejects, like `nodeHandler`. */
  fetch(id: string, ...request: Parameters<ServerFetch<Context>>): Promise<Response>;
  /**
   * Runs work for one tenant after another.
   *
   * @param ids the tenants, opened if necessary @default the open ones
   * @throws the error of the work for the first failing tenant
   */
  each(
    work: (server: ActivityServer<Identity, Context>, id: string) => unknown,
    ids?: Iterable<string> | AsyncIterable<string>,
  ): Promise<void>;
  /**
   * Deletes everything of a tenant permanently, after work in progress. The next use opens a new, empty one. Do not
   * await this in work of `use` for the same tenant: it waits for that work.
   *
   * @throws ActivityError as `get`; what `open` and the storage throw, then you can repeat it
   */
  delete(id: string): Promise<void>;
  /** Rejects further requests, and closes all tenants. You can call it twice. */
  close(): Promise<void>;
}

/**
 * Creates servers for many tenants in one process, such as the users of an app. Opens each server at its first use.
 *
 * @throws TypeError for invalid options
 */
export function createTenants<Identity extends object = object, Context = never>(
  options: TenantsOptions<Identity, Context>,
): Tenants<Identity, Context> {
  const { open, max, idleMillis, logger } = checkedOptions(options);
  /** The least recently used first. */
  const tenants = new Map<string, Tenant<Identity, Context>>();
  /** Tenants that are being closed. These promises never reject. */
  const leaving = new Map<string, Promise<void>>();
  const deletions = new Map<string, Promise<void>>();
  let isClosingSoon = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let closing: Promise<void> | undefined;

  /** Starts a use, which `leave` ends. Returns no promise for an open tenant, to not delay requests by a turn. */
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

  async function assemble(id: string): Promise<ActivityServer<Identity, Context>> {
    return assembleServer(await open(id), createWebDoors);
  }

  async function openServer(tenant: Tenant<Identity, Context>): Promise<void> {
    try {
      tenant.server = await assemble(tenant.id);
    } catch (thrown) {
      tenants.delete(tenant.id);
      throw thrown;
    }
  }

  function leave(tenant: Tenant<Identity, Context>): void {
    tenant.uses--;
    if (tenant.uses === 0) tenant.onUnused?.();
    tenant.touch();
    schedule(idleMillis);
    if (tenants.size <= max || isClosingSoon) return;
    isClosingSoon = true;
    // In a later turn: a caller that has just got a server can start a call of it.
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
    timer = unrefTimer(Math.min(millis, LONGEST_WAIT), closeIdle);
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
    // Closes several at once instead of checking all of them for each.
    schedule(Math.max(next, idleMillis / 10));
  }

  /** Never rejects. */
  function closeTenant(tenant: Tenant<Identity, Context>): Promise<void> {
    return remove(tenant, (server) => server.close()).catch((cause: unknown) => {
      logger.error(new Error(`cannot close tenant ${quote(tenant.id)}`, { cause }));
    });
  }

  /** Takes an open tenant out. */
  function remove(
    { id, server }: Tenant<Identity, Context>,
    end: (server: ActivityServer<Identity, Context>) => Promise<void>,
  ): Promise<void> {
    tenants.delete(id);
    return hold(id, end(server as ActivityServer<Identity, Context>));
  }

  /** Makes further uses wait until a tenant has ended. */
  function hold(id: string, ending: Promise<void>): Promise<void> {
    const left = ending.catch(() => undefined).then(() => void leaving.delete(id));
    leaving.set(id, left);
    return ending;
  }

  async function deleteTenant(id: string): Promise<void> {
    checkId(id);
    let deletion = deletions.get(id);
    if (deletion === undefined) {
      deletion = startDeletion(id).finally(() => void deletions.delete(id));
      deletions.set(id, deletion);
    }
    return deletion;
  }

  async function startDeletion(id: string): Promise<void> {
    let tenant: Tenant<Identity, Context> | undefined;
    for (let pending: unknown; ; await pending) {
      if (closing !== undefined) throw serverClosed();
      tenant = tenants.get(id);
      pending = leaving.get(id) ?? (tenant?.server === undefined && tenant?.opening.catch(() => undefined));
      if (!pending) break;
    }
    // Not as an open tenant: a use must not get a tenant that is about to be deleted.
    if (tenant === undefined) return hold(id, assemble(id).then(destroyServer));
    if (tenant.uses === 0) return remove(tenant, destroyServer);
    // Uses can start others, so these do not wait.
    const busy = tenant;
    return new Promise((resolve) => {
      busy.onUnused = () => {
        busy.onUnused = undefined;
        resolve(remove(busy, destroyServer));
      };
    });
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
    for (const tenant of [...tenants.values()]) {
      if (tenant.onUnused === undefined) void closeTenant(tenant);
      else tenant.onUnused();
    }
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
    delete: deleteTenant,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Maximum delay of a timer, in milliseconds. */
const LONGEST_WAIT = 2 ** 31 - 1;
