// long: 180 s
// The protocol as its own organization checks it: its conformance package, and its client from the time of the version
// 2025-11-25. Both are fetched from the registry (test/mcp/official has their lock).
import { execFile, execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";

import { IS_LONG } from "../faults/sizes.js";
import { ROOT } from "../package/tarball.js";
import type { McpClient } from "./client.js";
import { withMcpServer } from "./scene.js";

const test = suite("official checks of the protocol");

const FILES = path.join(ROOT, "test/mcp/official");
const INSTALLED = path.join(ROOT, "node_modules/.cache/mcp-official");

/** Failures of checks that need what this server does not have, such as the tools of a test server. */
const NOT_OFFERED: readonly RegExp[] = [
  /unknown (tool|prompt) test_/,
  /^Tool 'json_schema_2020_12_tool' not found/,
  /^Not testable: server (does not list the diagnostic tool 'test_|exposes no tool with x-mcp-header annotations)/,
  // Their first step calls a test tool.
  /^(Expected InputRequiredResult with|Prerequisite failed: could not get initial InputRequiredResult)/,
];

/** Methods that this server does not declare: resources, completion and logging. */
const UNDECLARED = /completion|resources|logging|caching/;

/** The server refuses subscriptions, since nothing that it declares can change. */
const SUBSCRIPTIONS: readonly string[] = [
  "sep-2575-server-sends-subscription-ack",
  "sep-2575-server-tags-subscription-id",
];

/** Scenarios of each version that must pass without an excuse. */
const WHOLE: Readonly<Record<string, readonly string[]>> = {
  "2025-11-25": ["server-initialize", "ping", "tools-list", "prompts-list", "dns-rebinding-protection"],
  "2026-07-28": ["tools-list", "prompts-list", "dns-rebinding-protection", "http-header-validation"],
};

interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

function withAddress(body: (url: string) => Promise<void>): Promise<void> {
  return withMcpServer(async (server) => {
    const { url } = await server.listen({ port: 0 });
    await body(`${url}/mcp`);
  });
}

/** Installs the packages as locked, once. */
function install(): void {
  const lock = fs.readFileSync(path.join(FILES, "package-lock.json"), "utf8");
  const marker = path.join(INSTALLED, "installed.json");
  if (fs.existsSync(marker) && fs.readFileSync(marker, "utf8") === lock) return;
  fs.mkdirSync(INSTALLED, { recursive: true });
  for (const name of ["package.json", "package-lock.json"]) {
    fs.copyFileSync(path.join(FILES, name), path.join(INSTALLED, name));
  }
  const args = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  execFileSync("npm", args, { cwd: INSTALLED, stdio: "inherit", shell: process.platform === "win32" });
  fs.writeFileSync(marker, lock);
}

/** Runs all scenarios of a version. @returns the checks by scenario */
async function checkConformance(url: string, version: string): Promise<Map<string, readonly Check[]>> {
  const results = path.join(INSTALLED, `results-${version}`);
  fs.rmSync(results, { recursive: true, force: true });
  const program = path.join(INSTALLED, "node_modules/@modelcontextprotocol/conformance/dist/index.js");
  const args = ["--import", pathToFileURL(path.join(FILES, "with-glob.mjs")).href, program];
  args.push("server", "--url", url, "--suite", "all", "--spec-version", version, "-o", results);
  const printed = await new Promise<string>((resolve) => {
    // Exits with 1, because some checks need what this server does not have.
    execFile(process.execPath, args, { cwd: INSTALLED }, (_, stdout, stderr) => resolve(stdout + stderr));
  });
  assert.ok(fs.existsSync(results), printed);
  return new Map(
    fs.readdirSync(results).map((folder) => {
      const name = /^server-(.*)-\d{4}-\d\d-\d\dT/.exec(folder)?.[1] ?? folder;
      return [name, JSON.parse(fs.readFileSync(path.join(results, folder, "checks.json"), "utf8")) as Check[]];
    }),
  );
}

function isExcused(scenario: string, { id, errorMessage = "" }: Check): boolean {
  if (SUBSCRIPTIONS.includes(id)) return true;
  if (/Method not found$/.test(errorMessage)) return UNDECLARED.test(scenario);
  return NOT_OFFERED.some((pattern) => pattern.test(errorMessage));
}

for (const version of IS_LONG ? Object.keys(WHOLE) : []) {
  test(`the conformance package finds no fault with version ${version}`, () =>
    withAddress(async (url) => {
      install();
      const scenarios = await checkConformance(url, version);
      const faults = [...scenarios].flatMap(([name, checks]) => {
        const failed = checks.filter((check) => check.status === "FAILURE" && !isExcused(name, check));
        return failed.map(({ id, errorMessage }) => `${name} ${id}: ${errorMessage}`);
      });
      assert.equal(faults, []);
      for (const name of WHOLE[version] ?? []) {
        const checks = scenarios.get(name) ?? [];
        assert.ok(
          checks.some(({ status }) => status === "SUCCESS"),
          name,
        );
        assert.not(
          checks.some(({ status }) => status === "FAILURE"),
          name,
        );
      }
      // The messages of every scenario are checked against the schema of the protocol.
      const schemas = [...scenarios.values()].flat().filter(({ id }) => id === "wire-schema-valid");
      assert.ok(schemas.length >= 20 && schemas.every(({ status }) => status === "SUCCESS"));
    }));
}

interface OldSdk {
  readonly Client: new (info: object) => McpClient;
  readonly StreamableHTTPClientTransport: new (url: URL) => object;
}

for (const name of IS_LONG ? ["sdk-2025-11", "@modelcontextprotocol/sdk"] : []) {
  test(`a client of version 2025-11-25 lists and calls everything (${name})`, () =>
    withAddress(async (url) => {
      install();
      const load = (file: string) =>
        import(pathToFileURL(path.join(INSTALLED, "node_modules", name, "dist/esm/client", file)).href);
      const { Client } = (await load("index.js")) as OldSdk;
      const { StreamableHTTPClientTransport } = (await load("streamableHttp.js")) as OldSdk;
      const client = new Client({ name: "old", version: "1.0.0" });
      await client.connect(new StreamableHTTPClientTransport(new URL(url)));
      const { tools } = await client.listTools();
      assert.ok(tools.length >= 8);
      for (const tool of tools) {
        const args = { stopwatch: { action: "start", label: "x" }, search: { text: "e" } }[tool.name] ?? {};
        // The client checks the result against the schema that the tool declares.
        const { isError, structuredContent, content } = await client.callTool({ name: tool.name, arguments: args });
        assert.not(isError, content[0]?.text);
        assert.equal(JSON.parse(content[0]?.text ?? ""), structuredContent);
      }
      const { prompts } = await client.listPrompts();
      for (const { name: prompt } of prompts) assert.ok((await client.getPrompt({ name: prompt })).messages[0]);
      await client.close();
    }));
}

test("messages of version 2025-11-25 get responses of that version, without a session", () =>
  withAddress(async (url) => {
    const send = async (message: object, headers: Record<string, string> = {}) => {
      const accept = "application/json, text/event-stream";
      const response = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json", accept, ...headers },
        body: JSON.stringify({ jsonrpc: "2.0", ...message }),
      });
      assert.is(response.headers.get("mcp-session-id"), null);
      const text = await response.text();
      const data = /^data: (.*)$/m.exec(text)?.[1] ?? text;
      return { status: response.status, body: data === "" ? undefined : JSON.parse(data) };
    };
    const clientInfo = { name: "old", version: "1" };
    for (const protocolVersion of ["2025-11-25", "2025-06-18"]) {
      const params = { protocolVersion, capabilities: {}, clientInfo };
      const { body: first } = await send({ id: 1, method: "initialize", params });
      assert.is(first.result.protocolVersion, protocolVersion);
      assert.equal(Object.keys(first.result.capabilities).sort(), ["prompts", "tools"]);
      const version = { "mcp-protocol-version": protocolVersion };
      assert.equal(await send({ method: "notifications/initialized" }, version), { status: 202, body: undefined });
      const call = { name: "summary", arguments: { period: "today" } };
      const { status, body } = await send({ id: "two", method: "tools/call", params: call }, version);
      assert.equal([status, body.id], [200, "two"]);
      assert.equal(JSON.parse(body.result.content[0].text), body.result.structuredContent);
      const { body: unknown } = await send({ id: 3, method: "resources/list" }, version);
      assert.is(unknown.error.code, -32601);
    }
    const wrong = await send({ id: 4, method: "tools/list" }, { "mcp-protocol-version": "1999-01-01" });
    assert.is(wrong.status, 400);
  }));

test.run();
