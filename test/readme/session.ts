// A session of curl commands, as a page prints it, to be carried out without curl.
import { checkedFetch } from "../api/answer-check.js";

/** A command with what it printed. */
export interface Turn {
  readonly command: string;
  readonly output: string;
}

/** Cuts a block at its prompts. A command goes on behind a backslash at the end of a line. */
export function turnsOf(block: string): Turn[] {
  return block
    .split(/^\$ /m)
    .slice(1)
    .map((text) => {
      const end = /(?<!\\)\n/.exec(text)?.index ?? text.length;
      return { command: text.slice(0, end), output: text.slice(end + 1).trimEnd() };
    });
}

/** The words of a command as a shell sees them: blanks, single quotes and continued lines. */
function wordsOf(command: string): string[] {
  const line = command.replaceAll("\\\n", " ");
  return [...line.matchAll(/(?:'[^']*'|[^\s'])+/g)].map(([word]) => word.replaceAll("'", ""));
}

/**
 * Carries a command out.
 *
 * @param base takes the place of scheme, host and port
 * @returns what curl would print
 */
export async function carryOut(command: string, base: string): Promise<string> {
  const [program, ...words] = wordsOf(command);
  if (program !== "curl") throw new Error(`not a curl command: ${command}`);
  const headers = new Headers();
  let url: string | undefined;
  let method: string | undefined;
  let body: string | null = null;
  let printed = "body";
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === "-s") continue;
    if (!word.startsWith("-")) url = word;
    else {
      const value = words.shift() ?? "";
      if (word === "-H") headers.set(...(value.split(": ", 2) as [string, string]));
      else if (word === "-X") method = value;
      else if (word === "-d") body = value;
      else if (word === "-w" && value === "%{http_code}") printed += " status";
      else if (word === "-o" && value === "/dev/null") printed = printed.replace("body", "");
      else throw new Error(`the tests do not know ${word} ${value} of: ${command}`);
    }
  }
  const { pathname, search } = new URL(url ?? "");
  const response = await checkedFetch(base + pathname + search, {
    method: method ?? (body === null ? "GET" : "POST"),
    headers,
    body,
  });
  const text = await response.text();
  return (printed.includes("body") ? text : "") + (printed.includes("status") ? response.status : "");
}

/** Makes answers of different runs and machines comparable. */
export function withoutVolatile(text: string): string {
  return text
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "(a UUID)")
    .replaceAll(/"created":"\d{4}-\d\d-\d\dT[\d:.]+\+00:00"/g, '"created":"(now)"')
    .replaceAll(/"hostname":"[^"]+"(?=,"version")/g, '"hostname":"(this machine)"');
}
