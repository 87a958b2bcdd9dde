// How the window is built: plain files below ui/dist, loaded by relative addresses, nothing inline, so that the
// page lives under `script-src 'self'; style-src 'self'`.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

/**
 * `virtual:english`: the English words without the program's own sentences, which come from it in English, and without the tray's that the window has no use for. They stand in
 * `en.json` for whoever translates, and the first screen needn't carry them.
 */
function english(): Plugin {
  const file = join(import.meta.dirname, "src/i18n/en.json");
  return {
    name: "english",
    resolveId: (id) => (id === "virtual:english" ? `\0${id}` : undefined),
    load(id) {
      if (id !== "\0virtual:english") return undefined;
      this.addWatchFile(file);
      const sources = readdirSync(join(import.meta.dirname, "src"), { recursive: true, encoding: "utf8" }).filter((name) => /\.(ts|svelte)$/.test(name));
      const used = sources.map((name) => readFileSync(join(import.meta.dirname, "src", name), "utf8")).join("\n");
      const words = Object.entries(JSON.parse(readFileSync(file, "utf8")) as Record<string, string>);
      return `export default ${JSON.stringify(Object.fromEntries(words.filter(([key]) => !key.startsWith("messages.") && (!key.startsWith("tray.") || used.includes(`"${key}"`)))))}`;
    },
  };
}

export default defineConfig({
  base: "./",
  plugins: [svelte(), english()],
  build: {
    target: "safari16",
    outDir: "dist",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: true,
    // What every screen has comes in one piece: each small one would cost a request and names of its own.
    rolldownOptions: {
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            {
              name: "shared",
              test: /node_modules[\\/](svelte|clsx)[\\/]|vite[\\/]preload-helper|src[\\/](components[\\/](Banner|Button|Copy|EmptyState|ErrorLine|ErrorState|Icon|Mark|Message|Segmented|Skeleton|Switch|TextField|Tooltip|errors|toasts|terminal|vars|visible|Words)\b|contract[\\/]index\b|i18n[\\/](format|index|messages)\b|platform[\\/](browser|index|types)\b|shell[\\/](actions|app|leaveGuard|pause|refresh|resource|route|router|zoom)\b)/,
            },
          ],
        },
      },
    },
  },
  test: {
    include: ["tests/*.test.ts"],
    environment: "node",
  },
});
