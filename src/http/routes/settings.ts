import { invalid, refuseDefect } from "../../validation.js";
import { readJson } from "../body.js";
import { DONE, jsonAnswer } from "../exchange.js";
import type { Route, RouteContext } from "../route.js";

function keyOf({ params }: RouteContext): string {
  return params.get("key") as string;
}

/** Contract rest.md 4.8. */
export const settingsRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/api/0/settings",
    summary: "List all settings",
    async handle(_exchange, { service }) {
      const settings = Array.from(await service.listSettings());
      const members = settings.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`);
      return jsonAnswer(`{${members.join(",")}}`);
    },
  },
  {
    method: "POST",
    path: "/api/0/settings",
    summary: "Refuse a setting without a key",
    async handle() {
      throw invalid("a setting needs a key: POST /api/0/settings/<key>");
    },
  },
  {
    method: "GET",
    path: "/api/0/settings/:key",
    summary: "Get a setting; null when it is unknown",
    async handle(_exchange, context) {
      return jsonAnswer(JSON.stringify(await context.service.getSetting(keyOf(context))));
    },
  },
  {
    method: "POST",
    path: "/api/0/settings/:key",
    summary: "Set a setting; null removes it",
    async handle(exchange, context) {
      const value = await readJson(exchange, context.limits.bodyLimitBytes);
      refuseDefect(value, "the setting");
      return jsonAnswer(JSON.stringify(await context.service.putSetting(keyOf(context), value)));
    },
  },
  {
    method: "DELETE",
    path: "/api/0/settings/:key",
    summary: "Remove a setting",
    async handle(_exchange, context) {
      await context.service.deleteSetting(keyOf(context));
      return DONE;
    },
  },
];
