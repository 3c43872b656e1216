/** `tessera test -- <command>`: runs tests on a service of their own. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../../dev/free-port.ts'
import type { Context } from '../context.ts'
import { exitCodes } from '../exit-codes.ts'
import { Problem } from '../problem.ts'
import { makeOutput } from '../terminal/output.ts'
import { appsHere, pushAll, seedAll } from './project.ts'
import { startLocal } from './stack.ts'

/**
 * Starts a service in a folder that is deleted afterwards, pushes the apps, loads their seeds, and runs the
 * command with TESSERA_URL, TESSERA_USER and TESSERA_PASSWORD. The exit code is that of the command.
 */
export async function test({ output }: Context, _options: object, command: readonly string[]): Promise<void> {
  const [program, ...args] = command
  if (program === undefined)
    throw new Problem('Name the command after two dashes: tessera test -- node --test', exitCodes.usage)
  appsHere()
  const dataFolder = mkdtempSync(join(tmpdir(), 'tessera-test-'))
  // Under root, Postgres runs as another user.
  chmodSync(dataFolder, 0o711)
  try {
    const stack = await startLocal({ dataFolder, port: await freePort(), note: output.note, isQuiet: true })
    try {
      // The output is that of the tests alone.
      const quiet = { ...makeOutput(true), result: () => undefined }
      const context = { output: quiet, target: { url: stack.url }, client: () => stack.client }
      await pushAll(context)
      await seedAll(context)
      const { url, username, password } = stack
      const child = spawn(program, args, {
        stdio: 'inherit',
        shell: process.platform === 'win32',
        env: { ...process.env, TESSERA_URL: url, TESSERA_USER: username, TESSERA_PASSWORD: password },
      })
      const [code] = await once(child, 'exit')
      process.exitCode = code ?? exitCodes.failed
    } finally {
      await stack.stop()
    }
  } finally {
    rmSync(dataFolder, { recursive: true, force: true })
  }
}
