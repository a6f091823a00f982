import type { SETTINGS_OPERATIONS } from "../../api/subjects/settings.js";
import { invalid, refuseDefect } from "../../service/validation.js";
import { readJson } from "../body.js";
import { DONE, jsonResponse } from "../request-context.js";
import type { Handlers, RouteContext } from "../route.js";

function keyOf({ params }: RouteContext): string {
  return params.get("key") as string;
}

/** docs/api.md#settings. */
export const settingsHandlers: Handlers<keyof typeof SETTINGS_OPERATIONS> = {
  async listSettings(_request, { service }) {
    const settings = Array.from(await service.listSettings());
    const members = settings.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`);
    return jsonResponse(`{${members.join(",")}}`);
  },

  async refuseSetting() {
    throw invalid("a setting needs a key: POST /api/0/settings/<key>");
  },

  async getSetting(_request, context) {
    return jsonResponse(JSON.stringify(await context.service.getSetting(keyOf(context))));
  },

  async putSetting(request, context) {
    const value = await readJson(request, context.limits);
    refuseDefect(value, "the setting");
    return jsonResponse(JSON.stringify(await context.service.putSetting(keyOf(context), value)));
  },

  async deleteSetting(_request, context) {
    await context.service.deleteSetting(keyOf(context));
    return DONE;
  },
};
