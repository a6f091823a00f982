export default { serverDir: "./server" };
