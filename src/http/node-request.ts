/**
 * What is used of a Node request. Described here rather than imported: the core runs where there is no Node, too.
 */
export interface NodeRequestLike {
  readonly method?: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly socket?: unknown;
}

/** A Node request in the terms of an exchange. */
export interface NodeRequestView {
  readonly boundAddress: string | undefined;
  header(name: string): string | undefined;
  body(): AsyncIterable<Uint8Array>;
}

interface ReadableLike extends AsyncIterable<Uint8Array> {
  /** Node's Readable. Unlike plain iteration it can leave the socket alive when the reader stops early. */
  iterator?(options: { destroyOnReturn: boolean }): AsyncIterable<Uint8Array>;
}

/** @returns `undefined` when the transport is not Node's */
export function nodeRequestOf(request: NodeRequestLike | undefined): NodeRequestView | undefined {
  if (request === undefined) return undefined;
  return {
    boundAddress: boundAddressOf(request.socket),
    header(name) {
      const value = request.headers[name];
      return Array.isArray(value) ? value[0] : value;
    },
    body() {
      const readable = request as unknown as ReadableLike;
      return readable.iterator?.({ destroyOnReturn: false }) ?? readable;
    },
  };
}

interface SocketLike {
  readonly server?: { address?(): unknown };
}

/** The address that the socket's server listens at: it decides whether the Host header is checked. */
function boundAddressOf(socket: unknown): string | undefined {
  const address = (socket as SocketLike | undefined)?.server?.address?.();
  return typeof address === "object" && address !== null && "address" in address ? String(address.address) : undefined;
}
