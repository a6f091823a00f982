import { defineHandler } from "nitro/h3";
import { tracker } from "../../utils/tracker.js";

export default defineHandler((event) => tracker.fetch(event.req));
