// What the server says, in the words of a language. Loaded with it.
import type { ActivityClientError } from "../../client/errors.js";
import { isJsonObject, type JsonObject } from "../../domain/json.js";
import type { Catalogue } from "./catalogue.js";
import { pieces } from "./text.js";
import { written } from "./texts.js";

/** Says what the server says. @param message of the server, without what the page shows otherwise */
export type ServerWords = (error: ActivityClientError, message: string) => string;

/** The words of a language: by the fault that an error names, by its code, or the server's own behind a lead-in. */
export function serverWords(texts: Catalogue["server"]): ServerWords {
  const byKey: Readonly<Record<string, string>> = texts;
  const filled = (sentence: string, values: JsonObject): string => pieces(sentence, values, written).join("");
  return (error, message) => {
    const { fault, values, type, code } = bodyOf(error);
    const known = byKey[String(fault)];
    if (known !== undefined) {
      const given = isJsonObject(values) ? values : {};
      const said = filled(known, given);
      return given["at"] === undefined ? said : filled(texts.patternAt, { ...given, fault: said });
    }
    return filled(byKey[String(type)] ?? byKey[String(code)] ?? texts.unknown, { message });
  };
}

function bodyOf({ response }: ActivityClientError): JsonObject {
  try {
    const body: unknown = JSON.parse(response?.body ?? "");
    return isJsonObject(body) ? body : {};
  } catch {
    return {};
  }
}
