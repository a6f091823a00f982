import { camel, type Source } from "../api/codec.js";
import { millisRemedy } from "../domain/millis.js";
import { DURATION, durationIn, jsonOf, TIME, timestampOf } from "./input-coercion.js";

/** How calls in process represent the values of schemas. */
export const PROGRAM: Source = {
  name: camel,
  timestamp: timestampOf,
  duration: durationIn,
  json: jsonOf,
  timestampName: TIME,
  timestampRemedy: millisRemedy,
  durationName: DURATION,
  bodyName: "the argument",
};
