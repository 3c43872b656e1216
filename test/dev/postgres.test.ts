/** A Postgres with a temporary folder, as tests and measurements start it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { onConnection } from '../../dev/connection.ts'
import { startPostgres } from '../../dev/postgres.ts'
import { temporaryFolder } from '../../dev/temporary-folder.ts'
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

it('a temporary cluster begins as a copy of another, with the links between the programs beside it', async () => {
  const folder = temporaryFolder('original')
  chmodSync(folder, 0o755)
  const original = await startPostgres({ folder, settings: ['fsync=off'] })
  await original.stop()
  mkdirSync(join(folder, 'postgres-18'))
  writeFileSync(join(folder, 'postgres-18', 'lib.so.1'), 'x')
  symlinkSync('lib.so.1', join(folder, 'postgres-18', 'lib.so'))
  symlinkSync('nowhere', join(folder, 'postgres-18', 'missing'))
  const copy = await startPostgres({ copyOf: folder, settings: ['fsync=off'] })
  try {
    const url = copy.superuserUrl()
    const { rows } = await onConnection(url, (client) => client.query('show data_directory'))
    const links = ['lib.so', 'missing'].map((name) =>
      readlinkSync(join(rows[0].data_directory, '..', 'postgres-18', name)),
    )
    expect(links).toEqual(['lib.so.1', 'nowhere'])
  } finally {
    await copy.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
