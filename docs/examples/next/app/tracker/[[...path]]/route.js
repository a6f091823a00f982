import { handlers } from "activity-server";
import { tracker } from "../../../tracker.js";

export const { GET, POST, PUT, DELETE, HEAD, OPTIONS } = handlers(tracker);
