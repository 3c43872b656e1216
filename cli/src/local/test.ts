/** `tessera test -- <command>`: runs tests on a service of their own. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../../dev/free-port.ts'
import type { Context } from '../context.ts'
import { exitCodes } from '../exit-codes.ts'
import { Problem } from '../problem.ts'
import { makeOutput, type Output } from '../terminal/output.ts'
import { appsHere, pushAll, seedAll } from './project.ts'
import { type LocalStack, localVersion, slug, startLocal } from './stack.ts'

/** Stopped services with an empty site, by version. Each run begins as a copy of one. */
const templates = join('.tessera', 'tests')

/** Tests may make as many sites, people and requests as they like. */
const variables = { QUOTA_SITES: '100000', SITES_MAX: '100000', RATE_LIMIT_SCALE: '1000' }

/**
 * Starts a service in a folder that is deleted afterwards, pushes the apps, loads their seeds, and runs the
 * command with TESSERA_URL, TESSERA_SITE, TESSERA_USER and TESSERA_PASSWORD. The exit code is that of the
 * command. An interruption ends the command and the service first.
 */
export async function test({ output }: Context, _options: object, command: readonly string[]): Promise<void> {
  if (command.length === 0)
    throw new Problem('Name the command after two dashes: tessera test -- node --test', exitCodes.usage)
  appsHere()
  const interruption = new AbortController()
  process.removeAllListeners('SIGINT')
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => interruption.abort())
  const { signal } = interruption
  const from = await ensureTemplate(output, signal)
  try {
    await inTemporaryFolder(async (dataFolder) => {
      await onService({ dataFolder, from, output, signal }, async (stack) => {
        await preparePlace(stack)
        process.exitCode = await runBeside(stack, command, signal)
      })
    })
  } catch (error) {
    if (!signal.aborted) throw error
  }
  if (signal.aborted) process.exitCode = exitCodes.interrupted
}

interface Start {
  dataFolder: string
  from?: string
  output: Output
  signal: AbortSignal
}

/** Starts a service, and stops it after the work. */
async function onService(start: Start, work: (stack: LocalStack) => Promise<void>): Promise<void> {
  const { output, ...options } = start
  const port = await freePort()
  const stack = await startLocal({ ...options, port, variables, note: output.note, isQuiet: true })
  try {
    start.signal.throwIfAborted()
    await work(stack)
  } finally {
    await stack.stop()
  }
}

/** Makes the template of the installed version if there is none. Returns its folder. */
async function ensureTemplate(output: Output, signal: AbortSignal): Promise<string> {
  const template = join(templates, localVersion())
  if (existsSync(template)) return template
  mkdirSync(templates, { recursive: true, mode: 0o711 })
  const unfinished = mkdtempSync(`${template}-`)
  chmodSync(unfinished, 0o711)
  try {
    await onService({ dataFolder: unfinished, output, signal }, async () => undefined)
    renameSync(unfinished, template)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    // Two runs at once may make it.
    if (!existsSync(template)) throw error
  }
  return template
}

async function inTemporaryFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-test-'))
  // Under root, Postgres runs as another user.
  chmodSync(folder, 0o711)
  try {
    await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Pushes the apps, and loads their seeds. */
async function preparePlace({ url, client }: LocalStack): Promise<void> {
  // The output is that of the tests alone.
  const output = { ...makeOutput(true), result: () => undefined }
  const context = { output, target: { url }, client: () => client }
  await pushAll(context)
  await seedAll(context)
}

/** Runs the command. Returns its exit code. */
async function runBeside(
  { url, username, password }: LocalStack,
  [program = '', ...args]: readonly string[],
  signal: AbortSignal,
): Promise<number> {
  const own = {
    TESSERA_URL: url,
    TESSERA_SITE: slug,
    TESSERA_USER: username,
    TESSERA_PASSWORD: password,
  }
  const child = spawn(program, args, {
    stdio: 'inherit',
    shell: process.platform === 'win32',
    env: { ...process.env, ...own },
  })
  signal.addEventListener('abort', () => child.kill('SIGTERM'))
  const [code] = await once(child, 'exit')
  return code ?? exitCodes.failed
}
