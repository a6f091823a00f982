import type { SettingsStore } from "../../src/storage.js";
import type { Keeper } from "./keeper.js";
import { del, put, settingKey } from "./layout.js";

/** Settings: few and small, so all of them are in memory. */
export function settingsVerbs(keeper: Keeper): SettingsStore {
  return {
    async get(key) {
      await keeper.opened();
      return keeper.state.settings.get(key);
    },
    async list() {
      await keeper.opened();
      return new Map(keeper.state.settings);
    },
    async put(key, value) {
      const recovering = keeper.ready();
      if (recovering !== undefined) await recovering;
      keeper.state.settings.set(key, value);
      await keeper.commit([put(settingKey(key), value)]);
    },
    async delete(key) {
      const recovering = keeper.ready();
      if (recovering !== undefined) await recovering;
      const deleted = keeper.state.settings.delete(key);
      await (deleted ? keeper.commit([del(settingKey(key))]) : keeper.landedSoFar());
      return deleted;
    },
  };
}
