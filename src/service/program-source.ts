import { camel, type Source } from "../api/codec.js";
import { millisRemedy } from "../domain/millis.js";
import { copyJson, DURATION, parseDuration, parseTimestampInput, TIME } from "./input-coercion.js";

/** How calls in process represent the values of schemas. */
export const PROGRAM: Source = {
  name: camel,
  timestamp: parseTimestampInput,
  duration: parseDuration,
  json: copyJson,
  timestampName: TIME,
  timestampRemedy: millisRemedy,
  durationName: DURATION,
  bodyName: "the argument",
};
