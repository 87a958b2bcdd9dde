/// <reference types="svelte" />
/// <reference types="vite/client" />

/** The English words without the program's own sentences; see `vite.config.ts`. */
declare module "virtual:english" {
  const words: Record<string, string>;
  export default words;
}
