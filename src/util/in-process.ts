/**
 * Member of a server through which a client in the same process calls it. A symbol, since the server trusts all calls
 * through this member, and no outside request may reach it by mistake. Registered, so that all copies of this file
 * share it.
 */
export const IN_PROCESS: unique symbol = Symbol.for("activity-server.in-process");

/**
 * Member of a server through which a test server makes it forget its cached keys, sessions and the like, after the
 * storage was emptied directly.
 */
export const FORGET_ACCESS: unique symbol = Symbol.for("activity-server.forget-access");

/** Member of a clock that a test moves on purpose: servers do not report its jumps as faults. */
export const SET_BY_TEST: unique symbol = Symbol.for("activity-server.set-by-test");

/** Member of a server that a CLI with its own sockets calls to start the hourly work that `listen()` would start. */
export const START_MAINTENANCE: unique symbol = Symbol.for("activity-server.begin-care");

/** Ends the feeds of a server, before its sockets wait for their requests. */
export const END_FEEDS: unique symbol = Symbol.for("activity-server.end-feeds");

/** Member of a server that shows running work: `createTenants` closes unused servers. */
export const ACTIVITY: unique symbol = Symbol.for("activity-server.activity");
