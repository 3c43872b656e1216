/**
 * `npx wrangler dev` in a checkout: without variables, and with the variables that `npm run setup` writes.
 */
import { chmodSync, cpSync, existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../dev/free-port.ts'
import { packageProgram } from '../../dev/package-program.ts'
import { temporaryFolder } from '../../dev/temporary-folder.ts'
import { edit, type Loop } from '../support/edits.ts'
import { type Run, runProgram } from '../support/processes.ts'
import { until } from '../support/until.ts'

const root = join(import.meta.dirname, '..', '..')
const folder = temporaryFolder('wrangler')
// As root, Postgres runs as another user, who needs access to its files.
chmodSync(folder, 0o711)
const command = join(folder, 'dev', 'run.mjs')
const quiet = { WRANGLER_SEND_METRICS: 'false', CLOUDFLARE_CF_FETCH_ENABLED: 'false', DATA_DIR: '' }

let loop: Loop
let wrangler: Run

const setup = async (...args: string[]) => {
  const ran = runProgram(process.execPath, [command, 'setup', ...args], { ...quiet, PORT: '8787' })
  return { code: await ran.exited, output: ran.output() }
}
const ask = async (path: string) => {
  const response = await fetch(`${loop.base}${path}`)
  return [response.status, await response.json()]
}
const rebuilds = () => wrangler.output().split('Reloading local server').length - 1

beforeAll(async () => {
  const copied = ['src', 'docs', 'dev', 'drizzle', 'migrations', 'console', 'client', 'wrangler.toml']
  for (const name of [...copied, 'tsconfig.json'])
    cpSync(join(root, name), join(folder, name), { recursive: true })
  for (const name of ['package.json', 'package-lock.json']) cpSync(join(root, name), join(folder, name))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
  const port = await freePort()
  loop = { folder, base: `http://127.0.0.1:${port}` }
  const args = ['dev', '--port', String(port), '--ip', '127.0.0.1', '--inspector-port', '0']
  wrangler = runProgram(process.execPath, [packageProgram('wrangler'), ...args], quiet, folder)
  await until(
    async () => (await fetch(`${loop.base}/healthz`)).ok,
    () => `wrangler dev\n${wrangler.output()}`,
  )
})

afterAll(async () => {
  await setup('--stop')
  process.kill(-(wrangler.process.pid as number), 'SIGTERM')
  await wrangler.exited
  rmSync(folder, { recursive: true, force: true })
})

describe('wrangler dev', () => {
  it('returns 503 without variables, and /readyz names them', async () => {
    expect(await ask('/api/apps/')).toEqual([
      503,
      { detail: 'The service is not configured correctly. See its log and /readyz.', code: 'misconfigured' },
    ])
    expect(await ask('/readyz')).toEqual([
      503,
      {
        detail: expect.stringMatching(/^DATABASE_URL is not set; .* SIGNING_KEYS is not set; /),
        code: 'misconfigured',
      },
    ])
  })

  it('uses the database that npm run setup leaves in the background', async () => {
    const { code, output } = await setup()
    expect([code, output]).toEqual([
      0,
      expect.stringMatching(
        /^\nThe database is running: in the background \(pid \d+\)\. Its address is in \.dev\.vars\./,
      ),
    ])
    await until(
      async () => (await ask('/readyz'))[0] === 200,
      () => `/readyz\n${wrangler.output()}`,
    )
    const signedIn = await fetch(`${loop.base}/api/auth/jwt/token/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'admin@example.com', password: 'Admin-demo-1' }),
    })
    expect(signedIn.status).toBe(200)
  })

  it('shows each edit, and builds nothing in between', async () => {
    await edit(loop, 3)
    const before = rebuilds()
    await new Promise((later) => setTimeout(later, 2_000))
    expect(rebuilds()).toBe(before)
  })

  it('npm run setup changes nothing the second time', async () => {
    const before = readFileSync(join(folder, '.dev.vars'), 'utf8')
    expect((await setup()).code).toBe(0)
    expect(readFileSync(join(folder, '.dev.vars'), 'utf8')).toBe(before)
  })

  it('npm run setup -- --stop ends the database', async () => {
    expect(await setup('--stop')).toEqual({
      code: 0,
      output: expect.stringMatching(
        /^The database that npm run setup had started \(pid \d+\) has ended\.\n$/,
      ),
    })
    expect(existsSync(join(folder, '.tessera', 'data', 'running.json'))).toBe(false)
    expect(await setup('--stop')).toEqual({ code: 0, output: 'There is no database in the background.\n' })
  })
})
