// A manual check, because it needs Python 3 and the package registries: the client from PyPI against the built launcher
// on LevelDB, with stops and starts of the server while the client runs.
//
//   npm run build && node test/clients/python/run.mjs [--version 0.5.15] [--venv FOLDER] [--with-key]
//
// Makes a virtual environment in a temporary folder and installs the newest aw-client, or the given version; --venv
// takes one that exists; --with-key makes the server ask for a key, which every request then brings.
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import readline from "node:readline";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { launch } from "../launch.mjs";
import { preparePython } from "./environment.mjs";

const CLIENT_PY = fileURLToPath(new URL("./client.py", import.meta.url));

async function main() {
  const { values } = parseArgs({
    options: {
      version: { type: "string" },
      venv: { type: "string" },
      cli: { type: "string" },
      "with-key": { type: "boolean" },
    },
  });
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "activity-python-client-"));
  const key = randomBytes(32).toString("hex");
  const keyFile = path.join(folder, "key");
  fs.writeFileSync(keyFile, key, { mode: 0o600 });
  const where = {
    data: path.join(folder, "data"),
    ...(values.cli && { cli: path.resolve(values.cli) }),
    ...(values["with-key"] && { flags: ["--api-key-file", keyFile] }),
  };
  let server;
  let child;
  try {
    const python = preparePython({
      folder,
      ...(values.version && { version: values.version }),
      ...(values.venv && { venv: path.resolve(values.venv) }),
    });
    server = await launch(where);
    const { port } = server;
    console.log(`${server.url}, PyPI aw-client ${python.clientVersion}`);

    const client = python.start(CLIENT_PY, [String(port), ...(values["with-key"] ? [key] : [])]);
    child = client.child;
    for await (const line of readline.createInterface({ input: child.stdout })) {
      const [, verb, signal] = /^@(stop|start)(?: (\w+))?$/.exec(line) ?? [];
      if (verb === undefined) {
        console.log(line);
        continue;
      }
      if (verb === "stop") {
        const { code } = await server.stop(`SIG${signal}`);
        if (signal === "TERM" && code !== 0) throw new Error(`the server ended with ${code}`);
      } else server = await launch({ ...where, port });
      child.stdin.write("done\n");
    }
    const { code } = await client.exited;
    process.exitCode = code === 0 ? 0 : 1;
  } finally {
    child?.kill();
    await server?.stop();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

await main();
