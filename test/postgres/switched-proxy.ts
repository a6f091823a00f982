import net from "node:net";
import { listeningPort } from "../harness.js";

/** A TCP proxy before servers of which one is the primary, as HAProxy or a virtual address would be. */
export interface SwitchedProxy {
  readonly port: number;
  /** Leads new connections to another socket, or nowhere, and cuts those that are there. */
  lead(to: string | undefined): void;
  close(): Promise<void>;
}

/** Listens to a free port of 127.0.0.1, and leads nowhere at first. */
export async function startProxy(): Promise<SwitchedProxy> {
  const open = new Set<net.Socket>();
  let target: string | undefined;

  const server = net.createServer((client) => {
    if (target === undefined) return void client.destroy();
    const upstream = net.connect(target);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(socket);
      socket.pipe(other);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        open.delete(socket);
        other.destroy();
      });
    }
  });
  const port = await listeningPort(server);

  function cut(): void {
    for (const socket of open) socket.destroy();
  }

  return {
    port,
    lead(to) {
      target = to;
      cut();
    },
    async close() {
      target = undefined;
      const closed = new Promise((resolve) => server.close(resolve));
      cut();
      await closed;
    },
  };
}
