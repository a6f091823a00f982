export default {
  // Loaded from node_modules: native code and files beside the code cannot be bundled.
  serverExternalPackages: ["activity-server", "classic-level"],
};
