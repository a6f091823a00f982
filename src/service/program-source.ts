import { camel, type Source } from "../api/codec.js";
import { DURATION, durationIn, jsonOf, TIME, timeRemedy, timestampOf } from "./input-coercion.js";

/** How calls in process represent the values of schemas. */
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
