import { handlers } from "activity-server";
import { tracker } from "../../../lib/server/tracker.js";

export const trailingSlash = "ignore";
export const { GET, POST, PUT, DELETE, HEAD, OPTIONS } = handlers(tracker);
