/** How the benchmarks measure CPU time. */
import { spawn } from 'node:child_process'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openCpuMeter } from '../../../bench/cpu/meter.ts'
import { cpuMsOf, processesBelow } from '../../../bench/cpu/processes.ts'
import { until } from '../../support/until.ts'

/** Of a process that does nothing itself; the one below it works all the time. */
let pid: number

beforeEach(async () => {
  const code = `require('node:child_process').spawn(process.execPath, ['-e', 'for (;;);'])`
  pid = spawn(process.execPath, ['-e', code], { stdio: 'ignore' }).pid as number
  await until(
    () => processesBelow(pid).length === 2,
    () => 'a process below another',
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

describe('CPU time of a process', () => {
  it('has that of the processes below it', () => rises(() => cpuMsOf(pid)))

  it('is counted by a meter, which leaves the processes as they were', async () => {
    const meter = openCpuMeter(pid, 'test')
    await rises(meter.cpuMs)
    meter.close()
    expect(processesBelow(pid)).toHaveLength(2)
    await rises(() => cpuMsOf(pid))
  })
})
