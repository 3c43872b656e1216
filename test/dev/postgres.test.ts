/** A Postgres with a temporary folder, as tests and measurements start it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { until } from '../support/until.ts'

it('Postgres ends with the process that started it, even if that one is killed', async () => {
  const module = JSON.stringify(join(import.meta.dirname, '..', '..', 'dev', 'postgres.ts'))
  const code = `
    const { startPostgres } = await import(${module})
    const server = await startPostgres({ settings: ['fsync=off'] })
    console.log(server.pid())
    setInterval(() => undefined, 1_000)`
  const parent = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(parent.stdout, 'data')
  const pid = Number(line)
  expect(isRunning(pid)).toBe(true)
  parent.kill('SIGKILL')
  await until(
    () => !isRunning(pid),
    () => `the end of Postgres, process ${pid}`,
  )
})

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
