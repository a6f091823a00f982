// Other words for all that the server says of errors: nothing may depend on them but what people read.

/** The text from its end to its beginning: what was part of it is so again, and no pattern fits. */
export function otherWords(text: string): string {
  return [...text].reverse().join("");
}

/** The body of an error with other words; what is no error of the server as it is. */
function rewordedBody(body: string): string {
  try {
    const error = JSON.parse(body) as Record<string, unknown>;
    for (const name of ["message", "reason"]) {
      if (typeof error[name] === "string") error[name] = otherWords(error[name]);
    }
    return JSON.stringify(error);
  } catch {
    return body;
  }
}

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** The same `fetch`, but for the words of errors. */
export function reworded(fetch: Fetch): Fetch {
  return async (url, init) => {
    const answer = await fetch(url, init);
    return answer.status < 400 ? answer : new Response(rewordedBody(await answer.text()), answer);
  };
}

/** In a page: changes what it is answered. */
function rewordAnswers(): void {
  // The browser of the API shows answers as they are.
  if (location.pathname.endsWith("/api/")) return;
  window.fetch = reworded(window.fetch.bind(window) as Fetch) as typeof window.fetch;
  const { get } = Object.getOwnPropertyDescriptor(XMLHttpRequest.prototype, "responseText") ?? {};
  Object.defineProperty(XMLHttpRequest.prototype, "responseText", {
    get(this: XMLHttpRequest): string {
      return this.status < 400 ? get?.call(this) : rewordedBody(get?.call(this));
    },
  });
}

/** The script that does so. As a text: tsx lets functions call one of its own, which the page lacks. */
export const REWORD_ANSWERS: string = `{
  const __name = (one) => one;
  ${[otherWords, rewordedBody, reworded].join("\n")}
  (${rewordAnswers})();
}`;
