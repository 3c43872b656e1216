/** The CPU time that the benchmarks measure. */
import { spawn } from 'node:child_process'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openCpuMeter } from '../../../bench/cpu/meter.ts'
import { cpuMsOf, processesBelow } from '../../../bench/cpu/processes.ts'
import { until } from '../../support/until.ts'

/** A process that is idle. Its child process is always busy. */
let pid: number

beforeEach(async () => {
  const code = `require('node:child_process').spawn(process.execPath, ['-e', 'for (;;);'])`
  pid = spawn(process.execPath, ['-e', code], { stdio: 'ignore' }).pid as number
  await until(
    () => processesBelow(pid).length === 2,
    () => `the child process of ${pid}`,
  )
})
afterEach(() => {
  for (const each of processesBelow(pid).toReversed()) process.kill(each, 'SIGKILL')
})

const rises = (read: () => number) => {
  const before = read()
  return until(
    () => read() - before > 200,
    () => 'CPU time',
  )
}

describe('the CPU time of a process', () => {
  it('includes that of its child processes', () => rises(() => cpuMsOf(pid)))

  it('is measured by a meter, which does not change the processes', async () => {
    const meter = openCpuMeter(pid, 'test')
    await rises(meter.cpuMs)
    meter.close()
    expect(processesBelow(pid)).toHaveLength(2)
    await rises(() => cpuMsOf(pid))
  })
})
