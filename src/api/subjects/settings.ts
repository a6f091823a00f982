/** docs/api.md#settings. */
export const SETTINGS_OPERATIONS = {
  listSettings: {
    method: "GET",
    path: "/api/0/settings",
    tag: "settings",
    summary: "List all settings",
    needs: "admin",
    parameters: [],
    answers: {
      200: {
        description: "The values by their keys.",
        content: { schema: "Settings", example: { startOfDay: "04:00" } },
      },
    },
    errors: [],
  },
  refuseSetting: {
    method: "POST",
    path: "/api/0/settings",
    tag: "settings",
    summary: "Refuse a setting without a key",
    needs: "admin",
    parameters: [],
    answers: {},
    errors: ["INVALID_INPUT"],
  },
  getSetting: {
    method: "GET",
    path: "/api/0/settings/:key",
    tag: "settings",
    summary: "Get a setting; null when it is unknown",
    needs: "admin",
    parameters: ["key"],
    answers: {
      200: { description: "The value, or null.", content: { schema: "SettingValue", example: "04:00" } },
    },
    errors: ["INVALID_INPUT"],
  },
  putSetting: {
    method: "POST",
    path: "/api/0/settings/:key",
    tag: "settings",
    summary: "Set a setting; null removes it",
    needs: "admin",
    parameters: ["key"],
    bodyKind: "single",
    body: { "application/json": { schema: "SettingValue", example: "05:30" } },
    answers: {
      200: { description: "The value that was sent.", content: { schema: "SettingValue", example: "05:30" } },
    },
    errors: ["INVALID_INPUT", "VETOED", "TOO_LARGE", "UNSUPPORTED_TYPE"],
  },
  deleteSetting: {
    method: "DELETE",
    path: "/api/0/settings/:key",
    tag: "settings",
    summary: "Remove a setting",
    needs: "admin",
    parameters: ["key"],
    answers: {
      200: { description: "There is no such setting now.", content: { schema: "Nothing", example: {} } },
    },
    errors: ["INVALID_INPUT", "VETOED"],
  },
} as const;
