// A server for tests that count its memory: it prints its port, and stops when its input ends. With an argument it first
// imports a document whose stream has that many chunks of one byte.
import { memory } from "../../adapters/memory.js";
import { createActivityServer } from "../../src/index.js";

function tinyChunks(text: string): ReadableStream {
  let at = 0;
  return new ReadableStream(
    {
      pull(controller) {
        if (at === text.length) controller.close();
        else controller.enqueue(Buffer.from(text.charAt(at++)));
      },
    },
    { highWaterMark: 0 },
  );
}

const server = createActivityServer({ storage: memory(), hostname: "box" });
const length = Number(process.argv[2] ?? 0);
if (length > 0) {
  const events = [{ timestamp: "2024-03-01", duration: 1, data: { title: "x".repeat(length) } }];
  const bucket = { client: "test", type: "app", hostname: "box", events };
  const body = tinyChunks(JSON.stringify({ buckets: { imported: bucket } }));
  const init = { method: "POST", headers: { "content-type": "application/json" }, body, duplex: "half" } as RequestInit;
  const answer = await server.fetch(new Request("http://localhost/api/0/import", init));
  if (answer.status !== 200) throw new Error(await answer.text());
}
const { port } = await server.listen({ port: 0 });
process.stdout.write(`${port}\n`);
process.stdin.resume().once("end", () => void server.close());
