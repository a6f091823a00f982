/** docs/reference/api.md#info, and the description of the interface. */
export const ABOUT_OPERATIONS = {
  getInfo: {
    route: "GET /api/0/info",
    summary: "Show server information",
    call: "info",
    watcher: true,
    open: true,
    answer: "Info",
    example: {
      hostname: "desk",
      version: "v0.2.0 (node)",
      testing: false,
      device_id: "65e636f5-000a-4422-9dca-d6aebe713234",
      profile: "default",
    },
  },
  getOpenApiDocument: {
    route: "GET /api/openapi.json",
    summary: "Get the OpenAPI document",
    description: "An OpenAPI 3.1 document. Its server URL is relative, so it is valid under any prefix.",
    // Its content is the same for everyone, and a browser loads the page for it without a key.
    open: true,
    answer: "OpenApiDocument",
    example: { openapi: "3.1.1", info: { title: "activity-server", version: "0.2.0" }, paths: {} },
  },
  getSwaggerDocument: {
    route: "GET /api/swagger.json",
    summary: "Get the OpenAPI document under the name that other servers use",
    description: "The same document as `/api/openapi.json`.",
    open: true,
    answer: "OpenApiDocument",
    example: { openapi: "3.1.1", info: { title: "activity-server", version: "0.2.0" }, paths: {} },
  },
} as const;
