import { defineConfig } from "vitest/config";
export default defineConfig({ root: import.meta.dirname, test: { include: [process.env.ZZ ?? "zz-wizard.ts"], environment: "node", pool: "forks", maxWorkers: 1, testTimeout: 300_000, hookTimeout: 300_000 } });
