/**
 * Member of a server by which a client in the same process calls it. A symbol, since whatever comes through here is
 * trusted: no request from outside may reach it by mistake. Registered, so that it is one however often this file is
 * loaded.
 */
export const IN_PROCESS: unique symbol = Symbol.for("activity-server.in-process");

/**
 * Member of a server by which a test server has it forget what it knows of keys, sessions and the like: the storage was
 * emptied behind it.
 */
export const FORGET_ACCESS: unique symbol = Symbol.for("activity-server.forget-access");

/** Member of a clock that a test moves on purpose: no server takes that for a fault. */
export const SET_BY_TEST: unique symbol = Symbol.for("activity-server.set-by-test");

/** Member of a server that a launcher with sockets of its own calls: it begins what `listen()` begins, hourly work. */
export const BEGIN_CARE: unique symbol = Symbol.for("activity-server.begin-care");

/** Member of a server that shows what runs: `createTenants` closes servers that are unused. */
export const ACTIVITY: unique symbol = Symbol.for("activity-server.activity");
