import { camel, type Source } from "../api/codec.js";
import { DURATION, durationIn, jsonOf, TIME, timeRemedy, timestampOf } from "./input-coercion.js";

/** How programs write what schemas describe. */
export const PROGRAM: Source = {
  name: camel,
  timestamp: timestampOf,
  duration: durationIn,
  json: jsonOf,
  timestampName: TIME,
  timestampRemedy: timeRemedy,
  durationName: DURATION,
  bodyName: "the argument",
};
