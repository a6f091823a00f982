// Starts Swagger UI, with a proof of the session for each request. A file of its own, since the content security policy
// lets no script stand in the page.
import { createSessionProof } from "../../../util/session-proof.ts";

(() => {
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const followScheme = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
  dark.addEventListener("change", followScheme);
  followScheme();

  // Links of the page begin at a slash, and the address may lack it.
  if (!location.pathname.endsWith("/")) {
    history.replaceState(history.state, "", `${location.pathname}/${location.search}${location.hash}`);
  }

  // Whoever signed in at the dashboard (docs/reference/keys.md#sessions) needs no key here: the dashboard keeps its
  // secret.
  const mount = new URL("..", document.baseURI).pathname.replace(/(.)\/+$/, "$1");
  const withSession = (request) => {
    const kept = localStorage.getItem(`activity-server.session ${mount}`);
    const { origin, pathname, search } = new URL(request.url, document.baseURI);
    if (kept !== null && origin === location.origin) {
      const [secret, ahead = "0"] = kept.split(".");
      const aimed = { method: request.method ?? "GET", target: pathname + search, port: location.port };
      request.headers["X-Activity-Session"] = createSessionProof(secret, aimed, Date.now() + Number(ahead));
    }
    return request;
  };

  window.SwaggerUIBundle({
    domNode: document.getElementById("api-browser"),
    // Beside the page, wherever that is mounted; whole, since servers in the document are found from it.
    url: new URL("openapi.json", document.baseURI).href,
    deepLinking: true,
    filter: true,
    displayRequestDuration: true,
    docExpansion: "list",
    defaultModelsExpandDepth: 0,
    defaultModelExpandDepth: 3,
    // The vendor's validator would be sent the document.
    validatorUrl: null,
    // The key stays in the page: what is stored could be read by every page of this origin.
    persistAuthorization: false,
    requestInterceptor: withSession,
    // There is one server, the one that the page came from; its relative URL would tell nobody anything.
    plugins: [() => ({ components: { ServersContainer: () => null } })],
  });
})();
