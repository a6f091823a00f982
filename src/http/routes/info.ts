import { jsonResponse } from "../request-context.js";
import type { Handlers } from "../route.js";

/** What newer servers report when they are started without a profile; this one has none. */
const PROFILE = "default";

/** docs/api.md#info. */
export const infoHandlers: Handlers<"getInfo"> = {
  async getInfo(_request, { service }) {
    const { hostname, version, testing, deviceId } = await service.info();
    return jsonResponse(JSON.stringify({ hostname, version, testing, device_id: deviceId, profile: PROFILE }));
  },
};
