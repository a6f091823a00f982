import adapter from "@sveltejs/adapter-node";
import { sveltekit } from "@sveltejs/kit/vite";

export default {
  plugins: [
    sveltekit({
      adapter: adapter(),
      // The server checks origins itself; SvelteKit would refuse forms of programs without a browser.
      csrf: { trustedOrigins: ["*"] },
    }),
  ],
};
