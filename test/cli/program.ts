/** The built command line as a process of one person, with a home folder, a working folder and a service. */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The result of a command. */
interface Outcome {
  code: number | null
  out: string
  err: string
}

/** A running command. */
interface Running {
  out(): string
  err(): string
  stop(): Promise<void>
  ended: Promise<Outcome>
}

/** A person with a home folder and a working folder. */
export interface Person {
  home: string
  folder: string
  /** Runs a command to its end. */
  run(...args: string[]): Promise<Outcome>
  /** Runs a command with a standard input, or with other environment variables. */
  runWith(options: { input?: string; env?: Record<string, string> }, ...args: string[]): Promise<Outcome>
  /** Runs a command with `--json`, which must succeed. Returns the value that it prints. */
  json<Value>(...args: string[]): Promise<Value>
  start(...args: string[]): Running
  /** Writes a file below the working folder. */
  write(path: string, content: unknown): void
}

/**
 * Creates a person. `program` is the built command line, and `address` is the service that its commands use.
 */
export function person(root: string, program: string, address: string): Person {
  const home = mkdtempSync(join(root, 'home-'))
  const folder = mkdtempSync(join(root, 'work-'))

  function start(args: string[], input: string | undefined, env: Record<string, string>): Running {
    const child = spawn(process.execPath, [program, ...args], {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        // As in an npm script, whose working folder is not the folder of the caller.
        INIT_CWD: home,
        TESSERA_CONFIG_DIR: join(home, 'tessera'),
        TESSERA_URL: address,
        ...env,
      },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    let [out, err] = ['', '']
    child.stdout.setEncoding('utf8').on('data', (chunk) => (out += chunk))
    child.stderr.setEncoding('utf8').on('data', (chunk) => (err += chunk))
    // A command that does not read its input may have ended already.
    child.stdin.on('error', () => undefined)
    child.stdin.end(input ?? '')
    const ended = new Promise<Outcome>((done) => child.once('close', (code) => done({ code, out, err })))
    const stop = async () => {
      child.kill('SIGINT')
      await ended
    }
    return { out: () => out, err: () => err, stop, ended }
  }

  const run = (...args: string[]) => start(args, undefined, {}).ended
  return {
    home,
    folder,
    run,
    runWith: ({ input, env = {} }, ...args) => start(args, input, env).ended,
    async json<Value>(...args: string[]) {
      const { code, out, err } = await run(...args, '--json')
      if (code !== 0) throw new Error(`tessera ${args.join(' ')} ended with ${code}: ${err}`)
      return JSON.parse(out) as Value
    },
    start: (...args) => start(args, undefined, {}),
    write(path, content) {
      const file = join(folder, path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
    },
  }
}
