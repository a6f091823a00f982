// `serverDir` is its name in later versions of Nitro 3.
export default { srcDir: "./server", serverDir: "./server" };
