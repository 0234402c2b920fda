import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node'

type SerializedError = Parameters<NonNullable<Reporter['onTestRunEnd']>>[1][number]

/** What `npm test` reads: how many passed, every problem by name, errors outside of tests included, and what took how long. */
export default class ProblemsReporter implements Reporter {
  private root = ''

  onInit({ config }: Vitest): void {
    this.root = config.root
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const cases = modules.flatMap((module) => [...module.children.allTests()])
    const problems = [
      ...cases.filter((test) => test.result().state === 'failed').map(describeCase),
      ...modules.flatMap((module) => module.errors().map((error) => line(module.moduleId, error))),
      ...modules
        .flatMap((module) => [...module.children.allSuites()])
        .flatMap((suite) => suite.errors().map((error) => line(suite.fullName, error))),
      ...unhandled.map((error) => line('outside of tests', error)),
    ].map((text) => text.replaceAll(`${this.root}/`, ''))
    const passed = cases.filter((test) => test.result().state === 'passed').length
    const file = `${this.root}/test-results/vitest.json`
    mkdirSync(dirname(file), { recursive: true })
    const files = modules.map((module) => [module.relativeModuleId, durationOf(module)])
    writeFileSync(file, JSON.stringify({ passed, problems, files }))
  }
}

const durationOf = (module: TestModule): number => {
  const { collectDuration, duration } = module.diagnostic()
  return collectDuration + duration
}

const describeCase = (test: TestCase): string =>
  line(`${test.module.moduleId} > ${test.fullName}`, test.result().errors?.[0])

const line = (where: string, error?: { message?: string; stack?: string }): string =>
  `${where}\n    ${(error?.stack ?? error?.message ?? 'no message').slice(0, 2000).split('\n').slice(0, 12).join('\n    ')}`
