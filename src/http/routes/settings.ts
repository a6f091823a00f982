import { invalid } from "../../service/validation.js";
import type { Handlers } from "../route.js";

/** docs/api.md#settings. */
export const settingsHandlers: Handlers<"refuseSetting"> = {
  async refuseSetting() {
    throw invalid("a setting needs a key: POST /api/0/settings/<key>");
  },
};
