// `npm run demo` and `npm test`, from a fresh clone with nothing but Node.js and npm.
//
//   node scripts/run.mjs demo             install, build, run the example agent
//   node scripts/run.mjs test [name...]   install, build, check, run all tests (or those of packages/name)
//   node scripts/run.mjs compat           install, build, run the tests on the oldest LangGraph and LangChain
//   node scripts/run.mjs build            install, build
//   node scripts/run.mjs check            install, build, check
//   node scripts/run.mjs pnpm <args...>   the workspace's own pnpm, whatever is installed globally
//
// A step prints one line, and its output only when it fails.

import { testCompat } from "./compat.mjs";
import { runPnpm, StepError } from "./process.mjs";
import { build, check, install, installPnpm } from "./steps.mjs";
import { testPackages } from "./test-packages.mjs";

const jobs = {
  async demo() {
    await install();
    await build();
    await runPnpm(
      ["--silent", "--filter", "@threadkeep/example-shell-agent", "run", "demo", ...args],
      { title: "demo", show: true },
    );
  },

  // Ends with one line, `N passed, N failed`. A failed check, or a step without which the
  // tests cannot run, counts as one failure.
  test: () =>
    summed(async function* () {
      yield { passed: 0, failed: await check() };
      yield await testPackages(args);
      if (args.length === 0) yield await testCompat();
    }),

  compat: () =>
    summed(async function* () {
      yield await testCompat();
    }),

  async build() {
    await install();
    await build();
  },

  async check() {
    await install();
    await build();
    if ((await check()) > 0) process.exitCode = 1;
  },

  async pnpm() {
    await installPnpm();
    await runPnpm(args, { title: "pnpm", show: true });
  },
};

/** Install, build, and add up what the rounds of tests find. */
async function summed(rounds) {
  let passed = 0;
  let failed = 0;
  try {
    await install();
    await build();
    for await (const round of rounds()) {
      passed += round.passed;
      failed += round.failed;
    }
  } catch (error) {
    report(error);
    failed += 1;
  }
  console.log(`${passed} passed, ${failed} failed`);
  if (failed > 0) process.exitCode = 1;
}

function report(error) {
  console.log(error instanceof StepError ? error.message : error);
}

const [name = "", ...args] = process.argv.slice(2);
const job = Object.hasOwn(jobs, name) ? jobs[name] : undefined;
if (job === undefined) {
  console.log(`Usage: node scripts/run.mjs ${Object.keys(jobs).join("|")}`);
  process.exitCode = 1;
} else {
  try {
    await job();
  } catch (error) {
    report(error);
    process.exitCode = error instanceof StepError ? error.exitCode : 1;
  }
}
