import { jsonResponse } from "../request-context.js";
import type { Handlers } from "../route.js";

/** Contract rest.md 4.1. */
export const infoHandlers: Handlers<"getInfo"> = {
  async getInfo(_exchange, { service }) {
    const { hostname, version, testing, deviceId } = await service.info();
    return jsonResponse(JSON.stringify({ hostname, version, testing, device_id: deviceId }));
  },
};
