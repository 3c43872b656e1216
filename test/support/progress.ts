/**
 * Says every ten seconds how far a run is, where vitest prints only the files that have ended: in a log, or a
 * pipe.
 */
import type { Reporter, TestModule } from 'vitest/node'

const everyMs = 10_000

class Progress implements Reporter {
  private readonly running = new Map<TestModule, number>()
  private files = 0
  private ended = 0
  private tests = 0
  private failed = 0
  private timer: NodeJS.Timeout | undefined

  onTestRunStart(files: readonly unknown[]): void {
    this.files = files.length
    const began = performance.now()
    this.timer = setInterval(() => console.log(this.line(performance.now() - began)), everyMs)
    this.timer.unref()
  }

  onTestModuleStart(file: TestModule): void {
    this.running.set(file, performance.now())
  }

  onTestModuleEnd(file: TestModule): void {
    this.running.delete(file)
    this.ended += 1
    const all = [...file.children.allTests()]
    this.tests += all.length
    this.failed += all.filter((test) => test.result().state === 'failed').length
  }

  onTestRunEnd(): void {
    clearInterval(this.timer)
  }

  private line(ms: number): string {
    const now = performance.now()
    const running = [...this.running]
      .map(([file, from]) => `${file.relativeModuleId} (${((now - from) / 1000).toFixed(0)} s)`)
      .join(', ')
    const failed = this.failed === 0 ? '' : `, ${this.failed} failed`
    const counted = `${this.ended} of ${this.files} files, ${this.tests} tests${failed}`
    return `${(ms / 1000).toFixed(0)} s: ${counted}${running ? `; running: ${running}` : ''}`
  }
}

/** The reporters of all tests. In a terminal, vitest shows the progress itself. */
export const testReporters = process.stdout.isTTY ? ['default'] : ['default', new Progress()]
