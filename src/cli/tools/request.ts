import { type Control, findServer } from "../control-file.js";
import { quoted } from "../data-folder.js";
import { LaunchError, printable } from "../launch-error.js";
import { send, textOf } from "./send.js";

/**
 * Asks the API.
 *
 * @param body a text is JSON already
 * @returns the parsed response
 * @throws LaunchError with its words for any other status than 200
 */
export type SendRequest = (method: "GET" | "POST" | "DELETE", path: string, body?: object | string) => Promise<unknown>;

/** @throws LaunchError where no server uses the folder */
export async function runningServer(folder: string): Promise<Control> {
  const control = await findServer(folder);
  if (control !== undefined) return control;
  throw new LaunchError(`no server is running with the data folder ${quoted(folder)}; --data names another one`);
}

/** Asks a running server. */
export function requestsTo(control: Control): SendRequest {
  return async (method, path, body) => {
    const text = typeof body === "object" ? JSON.stringify(body) : body;
    const response = await send(control, method, path, { body: text });
    return resultOf(response.statusCode ?? 0, await textOf(response));
  };
}

/** @throws LaunchError with the words of the API for any other status than 200 */
export function resultOf(status: number, text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (status === 200) return value;
  const { message } = value as { readonly message?: unknown };
  throw new LaunchError(printable(typeof message === "string" ? message : `the server answers ${status}`, 300));
}
