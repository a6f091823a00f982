import { tracker } from "../utils/tracker.js";

export default (nitroApp) => nitroApp.hooks.hook("close", () => tracker.close());
