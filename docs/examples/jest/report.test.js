const { createTestServer } = require("activity-server/testing");
const { reportEditing } = require("./report.js");

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
