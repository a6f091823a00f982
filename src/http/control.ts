import { sameText } from "../util/same-text.js";

/** What operators prove themselves by, beside the keys of the storage. */
export interface ControlSecrets {
  /** Of the option `apiKey`; `undefined` = there is none. */
  readonly apiKey: string | undefined;
  /** Opens everything like the key, for the tools of the operator; `undefined` = there is none. */
  readonly controlToken: string | undefined;
}

/** Secrets of operators, to be compared once a request. */
export interface Control {
  /** Whether there is any. */
  readonly exists: boolean;
  /** @returns whether this Authorization header holds one of them; never where there is none */
  allows(authorization: string): boolean;
}

export function createControl({ apiKey, controlToken }: ControlSecrets): Control {
  const headers = [apiKey, controlToken].filter((secret) => secret !== undefined).map((secret) => `Bearer ${secret}`);
  return {
    exists: headers.length > 0,
    allows: (authorization) => headers.some((header) => sameText(authorization, header)),
  };
}
