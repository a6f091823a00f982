// Translations of server messages. Loaded with their language.
import type { Catalogue } from "./catalogue.js";
import { pieces } from "./text.js";
import { written } from "./texts.js";
import type { TranslatedError } from "./translate-message.js";

/** Translates a server message. @param message of the server, without parts that the page shows separately */
export type ServerWords = (error: TranslatedError, message: string) => string;

/** The translations of a language: by fault name, by error code, or the original message after an introduction. */
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
