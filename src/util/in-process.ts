/**
 * Member of a server by which a client in the same process calls it. A symbol, since whatever comes through here is
 * trusted: no request from outside may reach it by mistake. Registered, so that it is one however often this file is
 * loaded.
 */
export const IN_PROCESS: unique symbol = Symbol.for("activity-server.in-process");
