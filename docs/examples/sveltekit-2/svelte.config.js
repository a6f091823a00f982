import adapter from "@sveltejs/adapter-node";

export default {
  kit: {
    adapter: adapter(),
    // The server checks origins itself; SvelteKit would refuse forms of programs without a browser.
    csrf: { trustedOrigins: ["*"] },
  },
};
