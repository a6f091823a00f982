// What pages send instead of the secret of their session.
import { createSessionProof } from "../../src/util/session-proof.js";

/** A secret as the server gives it. */
const SECRET = /^[\w-]{43}$/;

/** Headers with a proof for one request where they hold the secret of a session. @param now of the server @param port of the page */
export function proved<T extends object>(headers: T, method: string, target: string, now: number, port = "5600"): T {
  // As browsers send it.
  const { pathname, search } = new URL(target.replace(/^\/+/, "/"), "http://localhost");
  const proof = (value: unknown): unknown =>
    typeof value === "string" && SECRET.test(value)
      ? createSessionProof(value, { method, target: pathname + search, port }, now)
      : value;
  const entries = Object.entries(headers).map(([name, value]) => {
    if (name.toLowerCase() !== "x-activity-session") return [name, value];
    return [name, Array.isArray(value) ? value.map(proof) : proof(value)];
  });
  return Object.fromEntries(entries) as T;
}
