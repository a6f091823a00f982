import type { CallId } from "../api/calls.js";
import type { SETTINGS_OPERATIONS } from "../api/subjects/settings.js";
import type { Actions } from "./action.js";

/** docs/api.md#settings. */
export const settingsActions: Actions<keyof typeof SETTINGS_OPERATIONS & CallId> = {
  listSettings: async (_, service) => Object.fromEntries(await service.listSettings()),

  getSetting: ({ params }, service) => service.getSetting(params.key),

  putSetting: ({ params, body }, service) => service.putSetting(params.key, body),

  deleteSetting: ({ params }, service) => service.deleteSetting(params.key),
};
