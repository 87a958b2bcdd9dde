// How the tests of what people see are run: each file in a process of its own, two at a time, with the built page
// and the built test host (`npm run test:window`, or `cargo xtask test`, which builds both).
import { defineConfig } from "vitest/config";

export default defineConfig({
  root: import.meta.dirname,
  test: {
    include: ["**/*.spec.ts"],
    environment: "node",
    globalSetup: ["./real-home.ts"],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 90_000,
    hookTimeout: 180_000,
    // A busy machine may fail a test once; one that fails twice is reported.
    retry: process.env.CI ? 1 : 0,
  },
});
