// The address under which other devices reach the server. Pure.

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
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  const { hostname, href } = new URL(text);
  return { text: href.replace(/\/+$/, ""), isLocal: LOOPBACK.test(hostname) };
}
