/** The packages that users install, from their archives, in a folder without the repository. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { version as versionOfClient } from '../../client/src/version.ts'
import { readManifest, root, version } from '../../dev/packages/manifests.ts'
import { packAll } from '../../dev/packages/pack.ts'
import { version as versionOfService } from '../../src/kernel/lib/version.ts'
import { scaled } from '../support/scaled.ts'

let place: string
let archives: string[]
let project: string

const environment = () => ({
  ...process.env,
  PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
  TESSERA_CONFIG_DIR: join(place, 'configuration'),
  TMPDIR: join(place, 'temporary'),
  NODE_OPTIONS: '',
})

/** Runs a program in the project. Resolves with its exit code and what it printed. */
async function run(program: string, args: readonly string[], cwd = project) {
  const env = environment()
  const shell = process.platform === 'win32'
  return promisify(execFile)(program, args, { cwd, env, shell, maxBuffer: 2 ** 26 }).then(
    ({ stdout, stderr }) => ({ code: 0, printed: stdout + stderr }),
    ({ code, stdout, stderr }) => ({ code: Number(code), printed: `${stdout}${stderr}` }),
  )
}

const cli = () => join(project, 'node_modules', 'tessera-cli', 'dist', 'tessera.js')
const tessera = (...args: string[]) => run(process.execPath, [cli(), ...args])

/** The folders that the tests of a project use. */
const temporaryFolders = () =>
  readdirSync(join(place, 'temporary')).filter((name) => name.startsWith('tessera-test-'))

beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), 'tessera-packages-'))
  project = join(place, 'my-app')
  mkdirSync(join(place, 'temporary'))
  archives = await packAll(place)
}, scaled(300_000))
afterAll(() => rmSync(place, { recursive: true, force: true }))

describe('the packages', () => {
  it('have the version of the service, which is the newest of the changelog', () => {
    const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8')
    expect({
      client: readManifest('client').version,
      cli: readManifest('cli').version,
      inClient: versionOfClient,
      inService: versionOfService,
      changelog: /^## \[(\d.*?)\] - \d{4}-\d\d-\d\d$/m.exec(changelog)?.[1],
    }).toEqual({
      client: version,
      cli: version,
      inClient: version,
      inService: version,
      changelog: version,
    })
  })

  it.each(['plain', 'vite-react', 'next'])('have a template %s with the versions of the service', (name) => {
    const manifest = readManifest(join('cli', 'templates', name))
    const own = readManifest('.')
    const used = { ...own.dependencies, ...(own.devDependencies as Record<string, string>) }
    const wanted = { ...manifest.dependencies, ...(manifest.devDependencies as Record<string, string>) }
    for (const [dependency, range] of Object.entries(wanted))
      expect([dependency, range]).toEqual([
        dependency,
        dependency.startsWith('tessera-') ? '__version__' : (used[dependency] ?? range),
      ])
  })

  it('are four archives of one version, of at most 1 MB each, and 8 MB of the stack', () => {
    const sizes = archives.map((path) => [path.slice(place.length + 1), statSync(path).size] as const)
    const names = ['tessera-client', 'tessera-cli', 'tessera-local', 'create-tessera']
    expect(sizes.map(([name]) => name)).toEqual(names.map((name) => `${name}-${version}.tgz`))
    for (const [name, bytes] of sizes)
      expect(bytes).toBeLessThan(name.startsWith('tessera-local') ? 8_000_000 : 1_000_000)
  })

  it(
    'make a project, refuse a folder with files and a name that npm refuses, and test the project',
    async () => {
      const tools = join(place, 'tools')
      const npm = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']
      expect(await run('npm', ['install', ...npm, '--prefix', tools, ...archives], place)).toMatchObject({
        code: 0,
      })
      const create = join(tools, 'node_modules', 'create-tessera', 'create.js')
      const refused = await run(process.execPath, [create, 'My App'], place)
      expect(refused).toEqual({
        code: 2,
        printed:
          'My App cannot be the name of a package: lower-case letters, digits, hyphens and dots can.\n',
      })
      expect(await run(process.execPath, [create, 'my-app'], place)).toMatchObject({ code: 0 })
      expect(readdirSync(project).sort()).toEqual([
        '.gitignore',
        'AGENTS.md',
        'README.md',
        'package.json',
        'tessera',
        'tessera.config.js',
        'test',
      ])
      expect(await run(process.execPath, [create, 'my-app'], place)).toEqual({
        code: 5,
        printed: `${project} is not empty. Nothing was written.\n`,
      })
      expect(await run('npm', ['install', ...npm, ...archives])).toMatchObject({ code: 0 })

      const green = await run('npm', ['test'])
      expect([green.code, green.printed]).toEqual([0, expect.stringContaining('pass 5')])
      expect(readFileSync(join(project, 'tessera', 'types.ts'), 'utf8')).toContain('bookings')

      appendFileSync(
        join(project, 'test', 'booking.test.js'),
        "\ntest('red', () => assert.fail('as it should'))\n",
      )
      const red = await run('npm', ['test'])
      expect([red.code, red.printed]).toEqual([1, expect.stringContaining('as it should')])
    },
    scaled(600_000),
  )

  it(
    'end the command, the service and its folder when they are interrupted',
    async () => {
      const waiting = "console.log('begun'); setTimeout(() => {}, 60_000)"
      const child = spawn(process.execPath, [cli(), 'test', '--', process.execPath, '-e', waiting], {
        cwd: project,
        env: environment(),
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const ended = once(child, 'exit')
      await Promise.race([once(child.stdout, 'data'), ended])
      expect(temporaryFolders()).toHaveLength(1)
      child.kill('SIGINT')
      expect(await ended).toEqual([130, null])
      expect(temporaryFolders()).toEqual([])
    },
    scaled(120_000),
  )

  it('say what is missing in a folder without an app, and without tessera-local', async () => {
    expect(await tessera('test')).toEqual({
      code: 2,
      printed: 'Name the command after two dashes: tessera test -- node --test\n',
    })
    rmSync(join(project, 'node_modules', 'tessera-local'), { recursive: true })
    expect(await tessera('test', '--', 'node', '--test')).toEqual({
      code: 4,
      printed: 'This project has no tessera-local. Install it: npm install --save-dev tessera-local\n',
    })
    rmSync(join(project, 'tessera'), { recursive: true })
    expect(await tessera('dev')).toEqual({
      code: 4,
      printed:
        'This folder has no app: there is no tessera/<app>/app.json. Make a project: tessera init <folder>\n',
    })
  })
})
