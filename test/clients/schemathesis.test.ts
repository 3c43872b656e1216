/**
 * Schemathesis makes requests from the two published documents: every answer is described, none is a 5xx, and
 * methods that a path does not have are 405. It needs Python; without it, nothing is tested here.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { app, type Stack, startStack } from './stack.ts'

const version = '4.32.5'
const folder = join(import.meta.dirname, 'node_modules', '.cache', `schemathesis-${version}`)
const program = join(folder, process.platform === 'win32' ? 'Scripts/st.exe' : 'bin/st')

/** Installs Schemathesis in a folder of its own. Returns why it cannot; undefined if it is there. */
function problemOfInstallation(): string | undefined {
  if (existsSync(program)) return undefined
  const python = ['python3', 'python'].find(
    (name) => spawnSync(name, ['-c', 'import sys, venv; sys.exit(sys.version_info < (3, 10))']).status === 0,
  )
  if (!python) return 'There is no Python 3.10 or newer with the module venv.'
  const steps = [
    [python, '-m', 'venv', folder],
    [join(program, '..', 'python'), '-m', 'pip', 'install', '--quiet', `schemathesis==${version}`],
  ] as const
  for (const [command, ...args] of steps) {
    const { status, stderr } = spawnSync(command, args, { encoding: 'utf8', timeout: 180_000 })
    if (status !== 0) return `Schemathesis cannot be installed: ${stderr.slice(-500)}`
  }
  return undefined
}

/**
 * Not among them: `positive_data_acceptance`. A document cannot say everything that makes a request invalid,
 * such as a name that is taken.
 */
const checks = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_schema_conformance',
  'unsupported_method',
]

/** Operations that end the credentials of the run, or its account, site or organization. */
const ending =
  '/sessions?/|/logout/|/jwt/|/suspend/|/api/users/me/$|/api/users/me/(password|email)|' +
  '/api/cloud/(sites|organizations)/[^/]*/$'

const problem = problemOfInstallation()
let stack: Stack

beforeAll(async () => {
  if (problem === undefined) stack = await startStack()
})
afterAll(() => stack?.stop())

it.for([
  ['an app', `/api/apps/${app}/schema/`, [], 50],
  ['the service', '/api/schema/', ['--exclude-path-regex', ending], 140],
] as const)('the document of %s describes every answer', { timeout: 400_000 }, (row, { skip }) => {
  const [, path, options, seconds] = row
  if (problem !== undefined) skip(`NOT TESTED: ${problem}`)
  const args = ['run', `${stack.base}${path}`, '--url', stack.base, '--seed', '1', '--no-color']
  const { stdout } = spawnSync(
    program,
    [
      ...args,
      ...['--header', `Authorization: Bearer ${stack.token}`],
      ...['--checks', checks.join()],
      ...['--phases', 'examples,coverage', '--max-time', String(seconds), '--workers', '1'],
      ...options,
    ],
    // Schemathesis keeps what it found below the working folder.
    { cwd: folder, encoding: 'utf8', timeout: 380_000, maxBuffer: 100_000_000 },
  )
  // A runtime error is one of Python itself while it makes a request: the operation was not tested.
  const errors = [...stdout.matchAll(/^ *🚫 (.+): \d+$/gm)].filter(([, kind]) => kind !== 'Runtime Error')
  expect([/FAILURES =.*/s.exec(stdout)?.[0] ?? '', errors]).toEqual(['', []])
  expect(Number(/Tested: (\d+)/.exec(stdout)?.[1])).toBeGreaterThan(10)
})
