// How the window is built: plain files below ui/dist, loaded by relative addresses, nothing inline, so that the
// page lives under `script-src 'self'; style-src 'self'`.
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

export default defineConfig({
  base: "./",
  plugins: [svelte()],
  build: {
    target: "safari16",
    outDir: "dist",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: true,
  },
  test: {
    include: ["tests/*.test.ts"],
    environment: "node",
  },
});
