// `cargo xtask bench desktop`: the figures are taken by the same means as the tests, but they aren't tests.
import { defineConfig } from "vitest/config";

export default defineConfig({
  root: import.meta.dirname,
  test: { include: ["bench.ts"], environment: "node", globalSetup: ["./real-home.ts"], pool: "forks", maxWorkers: 1, testTimeout: 600_000, hookTimeout: 300_000 },
});
