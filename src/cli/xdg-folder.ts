import { isAbsolute } from "node:path";

/** A folder of the XDG specification, which demands that relative paths are ignored. @param name of its variable */
export function xdgFolder(env: NodeJS.ProcessEnv, name: string, otherwise: string): string {
  const given = env[name] ?? "";
  return isAbsolute(given) ? given : otherwise;
}
