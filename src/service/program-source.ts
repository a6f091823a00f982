import { camel, type Source } from "../api/codec.js";
import { durationIn, jsonOf, timestampOf } from "./input-coercion.js";

/** How programs write what schemas describe. */
export const PROGRAM: Source = {
  name: camel,
  timestamp: timestampOf,
  duration: durationIn,
  json: jsonOf,
  timestampName: "a Date, a time like 2024-03-01T10:00:00Z, whole microseconds since 1970",
  durationName: 'a duration such as "60s", "5m" or { seconds: 60 }',
  bodyName: "the argument",
};
