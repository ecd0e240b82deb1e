import type { Reporter, TestModule, Vitest } from 'vitest/node';

/** Lists skipped tests and their reasons at the end of a run, except those that `-t` excludes. */
export default class SkippedReporter implements Reporter {
  #filtered = false;

  onInit(vitest: Vitest): void {
    this.#filtered = vitest.config.testNamePattern !== undefined;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
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
