import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";

/** A proxy in front of a database whose connections can be made to stand still, as when its machine has died. */
export interface StallingProxy {
  /** The same URL, through the proxy. */
  readonly url: string;
  /** Nothing passes any more, and nothing is closed; new connections are taken and not answered. */
  stall(): void;
  /** Everything that was held back passes. */
  resume(): void;
  close(): Promise<void>;
}

/** @param url of a server that listens to a Unix socket */
export async function startStallingProxy(url: string): Promise<StallingProxy> {
  const searchParams = new URLSearchParams(url.slice(url.indexOf("?")));
  const name = `.s.PGSQL.${searchParams.get("port")}`;
  const target = path.join(String(searchParams.get("host")), name);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "activity-proxy-"));
  const pairs = new Set<readonly [net.Socket, net.Socket]>();
  let isStalled = false;
  const server = net.createServer((client) => {
    const pair = [client, net.connect(target)] as const;
    pairs.add(pair);
    for (const [from, to] of [pair, [pair[1], pair[0]] as const]) {
      from.on("data", (chunk) => void to.write(chunk));
      from.on("error", () => undefined);
      from.on("close", () => {
        pairs.delete(pair);
        to.destroy();
      });
      if (isStalled) from.pause();
    }
  });
  await new Promise<void>((resolve) => server.listen(path.join(folder, name), resolve));
  const each = (act: (socket: net.Socket) => unknown): void => {
    for (const pair of pairs) for (const socket of pair) act(socket);
  };
  return {
    url: url.replace(encodeURIComponent(path.dirname(target)), encodeURIComponent(folder)),
    stall() {
      isStalled = true;
      each((socket) => socket.pause());
    },
    resume() {
      isStalled = false;
      each((socket) => socket.resume());
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      each((socket) => socket.destroy());
      await closed;
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}
