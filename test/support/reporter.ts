import type { Reporter, TestModule, Vitest } from 'vitest/node';

/** Number of tests to list as the slowest. */
const slowest = 10;

/** At the end of a run, lists the slowest tests, and skipped ones with their reasons, except those that `-t` excludes. */
export default class CalendarReporter implements Reporter {
  #filtered = false;

  onInit(vitest: Vitest): void {
    this.#filtered = vitest.config.testNamePattern !== undefined;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    this.#listSlowest(modules);
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
