// The address under which other devices reach the server. Pure.
import { parseUrl } from "../../parse-url.js";

const LOOPBACK = /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/;

/** A checked address. */
export interface ServerAddress {
  /** Without a trailing slash. */
  readonly text: string;
  /** Whether only this computer can use it. */
  readonly isLocal: boolean;
}

/** Parses an address; `undefined` if it is none. */
export function readAddress(typed: string): ServerAddress | undefined {
  const text = typed.trim();
  const url = /^https?:\/\//i.test(text) ? parseUrl(text) : undefined;
  if (url === undefined) return undefined;
  const { hostname, href } = url;
  return { text: href.replace(/\/+$/, ""), isLocal: LOOPBACK.test(hostname) };
}
