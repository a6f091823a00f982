// What the server says, in the words of a language. Loaded with it.
import type { ActivityClientError } from "../../client/errors.js";
import type { Catalogue } from "./catalogue.js";
import { pieces } from "./text.js";
import { written } from "./texts.js";

/** Says what the server says. @param message of the server, without what the page shows otherwise */
export type ServerWords = (error: ActivityClientError, message: string) => string;

/** The words of a language: by the fault that an error names, by its code, or the server's own behind a lead-in. */
export function serverWords(texts: Catalogue["server"]): ServerWords {
  const byKey: Readonly<Record<string, string>> = texts;
  const filled = (sentence: string, values: Readonly<Record<string, unknown>>): string =>
    pieces(sentence, values, written).join("");
  return (error, message) => {
    const { fault, serverType = "", serverCode = "" } = error;
    const known = byKey[fault?.name ?? ""];
    if (fault !== undefined && known !== undefined) {
      const said = filled(known, fault.values);
      return fault.values["at"] === undefined ? said : filled(texts.patternAt, { ...fault.values, fault: said });
    }
    return filled(byKey[serverType] ?? byKey[serverCode] ?? texts.unknown, { message });
  };
}
