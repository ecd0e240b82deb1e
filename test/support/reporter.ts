import type { Reporter, TestModule, Vitest } from 'vitest/node';

/** Number of tests to list as the slowest. */
const slowest = 10;

/** Duration of a test, and of the set-up and import of a file of tests, above which it is slow, in ms. */
const limits = { test: 1000, file: 5000 };

/** At the end of a run, lists the slowest tests, names quick ones that are slow (which fail a run with CALENDAR_TEST_SLOW=fail), and skipped ones with their reasons, except those that `-t` excludes. */
export default class CalendarReporter implements Reporter {
  #filtered = false;

  onInit(vitest: Vitest): void {
    this.#filtered = vitest.config.testNamePattern !== undefined;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    this.#listSlowest(modules);
    // The same tests take longer where each command is a process.
    if (!process.env.CALENDAR_BUNDLE) this.#listSlow(modules.filter(({ project }) => project.name === 'quick'));
    this.#listSkipped(modules);
  }

  #listSlowest(modules: readonly TestModule[]): void {
    const durations = modules
      .flatMap((module) => [...module.children.allTests()])
      .map((test) => ({ test, ms: test.diagnostic()?.duration ?? 0 }))
      .sort((a, b) => b.ms - a.ms);
    for (const { test, ms } of durations.slice(0, slowest))
      console.log(`${(ms / 1000).toFixed(2)} s ${test.module.relativeModuleId} > ${test.fullName}`);
  }

  /** A machine that is busy makes quick tests slow, so only a run that asks for it fails. */
  #listSlow(modules: readonly TestModule[]): void {
    const slow = modules.flatMap((module) => {
      const { collectDuration, environmentSetupDuration, prepareDuration, setupDuration } = module.diagnostic();
      const fileMs = collectDuration + environmentSetupDuration + prepareDuration + setupDuration;
      const tests = [...module.children.allTests()].filter((test) => (test.diagnostic()?.duration ?? 0) >= limits.test);
      return [
        ...(fileMs >= limits.file ? [`${module.relativeModuleId}: its set-up and imports take ${(fileMs / 1000).toFixed(1)} s`] : []),
        ...tests.map((test) => `${module.relativeModuleId} > ${test.fullName}: a test of a second or more belongs in a .long.test.ts`),
      ];
    });
    for (const line of slow) console.log(`slow ${line}`);
    if (slow.length && process.env.CALENDAR_TEST_SLOW === 'fail') process.exitCode = 1;
  }

  #listSkipped(modules: readonly TestModule[]): void {
    const counts = new Map<string, number>();
    for (const module of modules)
      for (const test of module.children.allTests('skipped')) {
        const { note } = test.result() as { note?: string };
        if (note === undefined && this.#filtered) continue;
        const line = `of ${module.relativeModuleId}: ${note ?? 'without a reason'}`;
        counts.set(line, (counts.get(line) ?? 0) + 1);
      }
    for (const [line, count] of counts) console.log(`skipped ${count} ${line}`);
  }
}
