// The bridge of the command, as a program of its own.
import { fork } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { JsonObject } from "../../src/domain/json.js";
import { withFolder } from "../adapters/folder.js";
import { onPort } from "../harness.js";
import { programOf } from "../program.js";
import { createMcpClient, type Era } from "./client.js";
import { withMcpServer } from "./scene.js";

const test = suite("bridge for assistants");

/** A running bridge, as a transport of the official client. */
class BridgeTransport {
  onmessage?: (message: JsonObject) => void;
  onclose?: () => void;
  readonly #child;
  readonly exited: Promise<number | null>;
  readonly errors: string[] = [];

  constructor(args: readonly string[]) {
    const { file, execArgv } = programOf(new URL("./bridge-program.ts", import.meta.url));
    this.#child = fork(file, ["mcp", ...args], { execArgv: [...execArgv], stdio: ["pipe", "pipe", "pipe", "ipc"] });
    this.exited = new Promise((resolve) => this.#child.once("close", resolve));
    this.#child.stderr?.on("data", (chunk) => this.errors.push(String(chunk)));
    createInterface({ input: this.#child.stdout as NodeJS.ReadableStream }).on("line", (line) => {
      this.onmessage?.(JSON.parse(line));
    });
  }

  async start(): Promise<void> {}

  async send(message: JsonObject): Promise<void> {
    this.sendLine(JSON.stringify(message));
  }

  sendLine(line: string): void {
    this.#child.stdin?.write(`${line}\n`);
  }

  async close(): Promise<void> {
    this.#child.stdin?.end();
    await this.exited;
    this.onclose?.();
  }
}

async function withBridge(
  { scope, mcp = true, era = "modern" }: { scope?: "assistant:apps"; mcp?: boolean; era?: Era },
  body: (transport: BridgeTransport, client: ReturnType<typeof createMcpClient>) => Promise<void>,
): Promise<void> {
  await withFolder((folder) =>
    withMcpServer(
      async (server) => {
        const keyFile = path.join(folder, "key");
        const { key } = await server.keys.add({ name: "assistant", scopes: [scope ?? "assistant:categories"] });
        fs.writeFileSync(keyFile, `${key}\n`, { mode: 0o600 });
        await onPort(server.nodeHandler, async ({ port }) => {
          const args = ["--url", `http://127.0.0.1:${port}/`, ...(scope === undefined ? [] : ["--key-file", keyFile])];
          const transport = new BridgeTransport(args);
          try {
            await body(transport, createMcpClient(era));
          } finally {
            await transport.close();
          }
        });
      },
      { mcp, auth: "required" },
    ),
  );
}

for (const era of ["modern", "legacy"] as const) {
  test(`passes calls and results (${era})`, () =>
    withBridge({ scope: "assistant:apps", era }, async (transport, client) => {
      await client.connect(transport);
      const [{ tools }, result] = await Promise.all([client.listTools(), client.callTool({ name: "now" })]);
      assert.ok(tools.some(({ name }) => name === "summary"));
      assert.is(result.structuredContent?.["disclosure"], "apps");
      await client.close();
      assert.is(await transport.exited, 0);
      assert.equal(transport.errors, []);
    }));
}

/** The response to one line. */
function reply(transport: BridgeTransport, line: string): Promise<JsonObject> {
  return new Promise((resolve) => {
    transport.onmessage = resolve;
    transport.sendLine(line);
  });
}

const LIST = JSON.stringify({ jsonrpc: "2.0", id: 7, method: "tools/list" });

test("failures are errors of the call", async () => {
  await withBridge({}, async (transport) => {
    const { id, error } = (await reply(transport, LIST)) as { id: number; error: { message: string } };
    assert.is(id, 7);
    assert.match(error.message, /responded with 401/);
    const { error: unread } = (await reply(transport, "{")) as { error: { code: number } };
    assert.is(unread.code, -32700);
  });
  await withBridge({ scope: "assistant:apps", mcp: false }, async (transport) => {
    const { error } = (await reply(transport, LIST)) as { error: { message: string } };
    assert.match(error.message, /start it with --mcp/);
  });
});

test.run();
