export default {
  // Loaded from node_modules: native code cannot be bundled.
  serverExternalPackages: ["activity-server", "classic-level"],
};
