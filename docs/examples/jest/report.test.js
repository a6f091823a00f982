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

test("a report in the background arrives", async () => {
  for await (const message of server.feed({ types: ["events"] })) {
    if (message.type === "reset") {
      // The feed has started: every later change follows.
      reportEditing(url, "main.js");
    } else {
      expect(message.event.data).toEqual({ file: "main.js" });
      break;
    }
  }
});
