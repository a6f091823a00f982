import { jsonAnswer } from "../exchange.js";
import type { Route } from "../route.js";

/** Contract rest.md 4.1. */
export const infoRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/api/0/info",
    summary: "Say which server this is",
    watcher: true,
    open: true,
    async handle(_exchange, { service }) {
      const { hostname, version, testing, deviceId } = await service.info();
      return jsonAnswer(JSON.stringify({ hostname, version, testing, device_id: deviceId }));
    },
  },
];
