/**
 * `npm run test:mongodb`: tests datasources of the type mongodb, on the server of MONGODB_URL, or on one
 * that it installs and starts.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { startMongodbServer } from './mongodb-server.ts'
import { packageProgram } from './package-program.ts'

const root = join(import.meta.dirname, '..')

const { MONGODB_URL } = process.env
const server = MONGODB_URL ? { url: MONGODB_URL, stop: async () => undefined } : await startMongodbServer()

if ('reason' in server)
  console.log(
    `NOT TESTED: datasources in MongoDB, because ${server.reason}. MONGODB_URL can name a server of yours.`,
  )
else {
  const config = join('test', 'mongodb', 'vitest.config.ts')
  if (MONGODB_URL) console.log('NOT TESTED: what happens when the server is killed, because it is yours.')
  const files = MONGODB_URL ? ['--exclude=**/kills.test.ts'] : []
  const vitest = spawn(
    process.execPath,
    [packageProgram('vitest'), 'run', '--config', config, ...files, ...process.argv.slice(2)],
    { stdio: 'inherit', cwd: root, env: { ...process.env, MONGODB_URL: server.url } },
  )
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => vitest.kill(signal))
  vitest.on('exit', async (code) => {
    await server.stop()
    process.exitCode = code ?? 1
  })
}
