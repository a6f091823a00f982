import node from "@astrojs/node";
import { defineConfig } from "astro/config";

export default defineConfig({
  output: "server",
  adapter: node({ mode: "standalone" }),
  // The server checks origins itself; Astro would refuse forms and DELETE of programs without a browser.
  security: { checkOrigin: false },
});
