/** `tessera dev`: the service on this machine, with the apps of the project as they are in their files. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createClient, memoryStore } from '../../../client/src/index.ts'
import type { Context } from '../context.ts'
import { failureOf } from '../failure.ts'
import { keepEntry } from '../sign-in/credentials.ts'
import { appsHere, pushAll, seedAll, stateOfFiles, typesFile } from './project.ts'
import { type LocalStack, startLocal } from './stack.ts'

export interface DevOptions {
  port: number
  reset?: boolean
  with?: string
}

const dataFolder = join('.tessera', 'data')
/** How often files are looked at, in ms. */
const everyMs = 200

/** Runs until it is interrupted, or until the program of `--with` ends. */
export async function dev({ output }: Context, options: DevOptions): Promise<void> {
  appsHere()
  if (options.reset) rmSync(dataFolder, { recursive: true, force: true })
  const stack = await startLocal({ dataFolder, port: options.port, note: output.note })
  const context = { output, target: { url: stack.url }, client: () => stack.client }
  // Ctrl-C reaches the service, too.
  process.removeAllListeners('SIGINT')
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stack.stop())
  try {
    await signInHere(stack)
    let state = stateOfFiles()
    const isPushed = await tried(context, () => pushAll(context))
    if (isPushed && stack.isNew) await tried(context, () => seedAll(context))
    state = isPushed ? stateOfFiles() : state
    greet(context, stack)
    const own = options.with === undefined ? undefined : startOwn(options.with, stack)
    const ends = Promise.race([stack.ended, ...(own ? [once(own, 'exit')] : [])]).then(() => 'ended')
    while ((await Promise.race([ends, wait(everyMs)])) !== 'ended') {
      if (stateOfFiles() === state) continue
      state = stateOfFiles()
      const began = Date.now()
      if (!(await tried(context, () => pushAll(context)))) continue
      state = stateOfFiles()
      output.note(`Live in ${Date.now() - began} ms.`)
    }
    own?.kill()
  } finally {
    await stack.stop()
  }
}

/** Commands in other terminals use the account of the stack. */
async function signInHere({ url, username, password }: LocalStack): Promise<void> {
  const store = memoryStore()
  await createClient({ url, auth: { store } }).accounts.signIn(username, password)
  const tokens = await store.read()
  if (tokens) await keepEntry({ url, username, tokens })
}

/** Returns whether it succeeded; prints why it did not. */
async function tried({ output }: Context, work: () => Promise<void>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    output.line(failureOf(error).message, 'red')
    return false
  }
}

/** Starts the developer's own server. */
const startOwn = (command: string, { url }: LocalStack): ChildProcess =>
  spawn(command, {
    shell: true,
    stdio: 'inherit',
    env: { ...process.env, TESSERA_URL: url, VITE_TESSERA_URL: url, NEXT_PUBLIC_TESSERA_URL: url },
  })

function greet({ output }: Context, { url, username, password }: LocalStack): void {
  output.result({ url, username, password, types: typesFile }, () => {
    output.line(`\nTessera runs at ${url}`, 'green')
    output.line(`  console   ${url}/console/`)
    output.line(`  mailbox   ${url}/_dev/mailbox/`)
    output.line(`  account   ${username}, ${password}`)
    output.line(`  types     ${typesFile}`)
    output.line('Files in tessera/ are pushed when you save them. Ctrl-C ends it.\n')
  })
}
