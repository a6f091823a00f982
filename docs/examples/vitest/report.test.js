import { createTestServer } from "activity-server/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { reportEditing } from "./report.js";

let server;
let url;

beforeEach(async () => {
  server = createTestServer();
  ({ url } = await server.listen({ port: 0 }));
});
afterEach(() => server.close());

test("editing is reported", async () => {
  await reportEditing(url, "main.js");
  const [event] = await server.events.read("editor").toArray();
  expect(event.data).toEqual({ file: "main.js" });
});
