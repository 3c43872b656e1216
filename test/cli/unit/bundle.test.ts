/** What the code of a function may contain: code of others never includes files of the person at the terminal. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { buildSource } from '../../../cli/src/functions/bundle.ts'
import { codesOf, writeState } from '../../../cli/src/schema/state.ts'

const canary = 'CANARY-7f3a'
const root = mkdtempSync(join(tmpdir(), 'bundle-'))
const project = join(root, 'home', 'project')
const folder = join(project, 'tessera', 'shop')
const at = (...names: string[]) => join(folder, ...names)

function write(file: string, content: unknown): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
}
const secret = (file: string) =>
  write(file, file.endsWith('.json') ? { secret: canary } : `export default ${JSON.stringify(canary)}`)
const pack = (home: string, more: object = {}) =>
  write(join(home, 'package.json'), { name: 'x', type: 'module', main: 'index.js', ...more })

/** Returns the code of a source with this text, or the error. */
async function built(text: string, name = 'try.js'): Promise<string> {
  const path = join('functions', name)
  write(at(path), text)
  try {
    return (await buildSource({ folder, path })).code
  } catch (error) {
    return `refused: ${error instanceof Error ? error.message : error}`
  } finally {
    rmSync(at(path))
  }
}

/** Everything outside the app, and what an app must not include. */
const secrets = [
  ...[at('.env.js'), at('.ENV.js'), at('.pulled.json'), at('.signing-secrets.json'), at('.git', 'x.json')],
  ...[at('lib', '.hidden', 'x.js'), at('key.txt'), at('key.pem'), at('key'), at('key.css'), at('data.toml')],
  ...[
    at('new.signing-secrets.json'),
    at('shop.zip.import', 'secrets.json'),
    at('settings', 'credentials.json'),
  ],
  ...[join(root, 'home', '.ssh', 'id_rsa'), join(root, 'home', 'keys.json'), join(root, 'home', 'keys.js')],
  ...[join(project, 'config.json'), join(project, 'src', 'config.js'), join(project, 'tessera/other/x.js')],
  ...[join(project, 'node_modules', 'loose.js'), join(project, 'node_modules', '.cache', 'x.js')],
  ...[join(project, 'node_modules', 'bare', 'x.js'), join(project, 'node_modules', 'good', '.env.js')],
  ...[
    join(project, 'node_modules', 'good', 'key.pem'),
    join(project, 'sibling', 'node_modules', 'sib', 'x.js'),
  ],
  ...[join(project, 'packages', 'private', 'x.js'), join(root, 'home', 'node_modules', 'above', 'index.js')],
]

beforeAll(() => {
  write(join(project, 'package-lock.json'), {})
  write(join(project, 'package.json'), { name: 'project' })
  for (const file of secrets) secret(file)
  write(at('app.json'), { name: 'Shop' })
  write(at('lib', 'sum.ts'), 'export const sum = (a: number, b: number): number => a + b')
  write(at('lib', 'list.json'), { list: ['from-json'] })
  const modules = join(project, 'node_modules')
  pack(join(modules, 'good'))
  write(join(modules, 'good', 'index.js'), "export default 'from-good'")
  pack(join(modules, '.cache'))
  pack(join(project, 'sibling', 'node_modules', 'sib'))
  pack(join(project, 'packages', 'private'), { name: 'private' })
  pack(join(root, 'home', 'node_modules', 'above'))
  pack(join(project, 'packages', 'linked'), { name: '@own/linked' })
  write(join(project, 'packages', 'linked', 'index.js'), "export { default } from 'inner'")
  pack(join(project, 'packages', 'linked', 'node_modules', 'inner'))
  write(
    join(project, 'packages', 'linked', 'node_modules', 'inner', 'index.js'),
    "export default 'from-inner'",
  )
  const links = [
    [join(root, 'home', 'keys.js'), at('lib', 'link.js')],
    [join(root, 'home', '.ssh'), at('lib', 'ssh')],
    [join(root, 'home'), at('up')],
    [join(root, 'home', 'keys.js'), join(modules, 'good', 'link.js')],
    [join(root, 'home'), join(modules, 'home-link')],
    [project, join(modules, 'self')],
    [join(project, 'packages', 'linked'), join(modules, '@own', 'linked')],
  ] as const
  for (const [target, link] of links) {
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(target, link)
  }
  vi.stubEnv('NODE_PATH', join(root, 'home'))
  vi.stubEnv('TESSERA_CONFIG_DIR', at('settings'))
})
afterAll(() => {
  vi.unstubAllEnvs()
  rmSync(root, { recursive: true, force: true })
})

/** How code includes another file. */
const ways: readonly [name: string, write: (path: string) => string][] = [
  ['import', (path) => `import x from ${path}\nexport default x`],
  ['import for effects', (path) => `import ${path}`],
  ['export', (path) => `export * from ${path}`],
  ['import()', (path) => `export default () => import(${path})`],
  ['require', (path) => `export default () => require(${path})`],
  ['import = require in TypeScript', (path) => `import x = require(${path})\nexport default x`],
]
const extensionOf = (way: string) => (way.endsWith('TypeScript') ? 'try.ts' : 'try.js')

const targets: readonly [name: string, path: () => string][] = [
  ...secrets.map((file): [string, () => string] => [
    `the relative path of ${file.slice(root.length)}`,
    () => relativeTo(file),
  ]),
  ['a link to a file', () => '../lib/link.js'],
  ['a link to a folder', () => '../lib/ssh/id_rsa'],
  ['a link to a folder above', () => '../up/keys.json'],
  ['an absolute path', () => join(root, 'home', 'keys.js')],
  ['an absolute path in the app', () => at('lib', 'sum.ts')],
  ['a file URL', () => pathToFileURL(join(root, 'home', 'keys.js')).href],
  ['a file URL of the app', () => pathToFileURL(at('lib', 'sum.ts')).href],
  ['a data URL', () => `data:text/javascript,import ${JSON.stringify(join(root, 'home', 'keys.js'))}`],
  ['an address', () => 'https://example.com/x.js'],
  ['an address without a scheme', () => '//example.com/x.js'],
  ['a drive of Windows', () => 'C:\\keys.js'],
  ['separators of Windows', () => '..\\..\\..\\..\\keys.js'],
  ['a name with NUL', () => '../lib/sum.ts\0.js'],
  ['a query', () => `${relativeTo(join(root, 'home', 'keys.js'))}?raw`],
  ['a fragment', () => `${relativeTo(join(root, 'home', 'keys.js'))}#x`],
  ['a path through a package', () => 'good/../../../keys.js'],
  ['a path through a package to a file of the project', () => 'good/../../config.json'],
  ['a link in a package', () => 'good/link.js'],
  ['a file of a package that begins with a dot', () => 'good/.env.js'],
  ['a package that is a link out of the project', () => 'home-link/keys.js'],
  ['a package that is a link to the project', () => 'self/config.json'],
  ['a folder in node_modules without package.json', () => 'bare/x.js'],
  ['a file in node_modules', () => 'loose.js'],
  ['a package above the lock file', () => 'above'],
  ['a package that nothing links', () => 'private'],
  ['a file in NODE_PATH', () => 'keys.js'],
  ['a relative path into a package', () => '../../../node_modules/good/index.js'],
]

function relativeTo(file: string): string {
  const up = file.startsWith(folder) ? '..' : '../../..'
  const base = file.startsWith(folder) ? folder : project
  if (file.startsWith(base)) return `${up}${file.slice(base.length)}`
  return `../../../..${file.slice(join(root, 'home').length)}`
}

describe('the bundle of a function', () => {
  it.each(ways)('never includes a file that is not the app’s: %s', async (way, writeWay) => {
    const answers = await Promise.all(
      targets.map(async ([name, path], index) => {
        const code = await built(writeWay(JSON.stringify(path())), `${index}-${extensionOf(way)}`)
        return [name, code.startsWith('refused: '), code.includes(canary)]
      }),
    )
    expect(answers).toEqual(targets.map(([name]) => [name, true, false]))
  })

  it.each<[what: string, text: string, place: string]>([
    ['with an attribute', "import x from '../lib/list.json' with { type: 'json' }", '1:15'],
    ['as text', "import x from '../../../config.json' with { type: 'text' }", '1:15'],
    ['with the bytes of a file', "export * from '../lib/sum.ts' with { type: 'bytes' }", '1:15'],
    ['by import() with an attribute', "\nimport('../lib/sum.ts', { with: { type: 'text' } })", '2:8'],
  ])('refuses imports with attributes: %s', async (_, text, place) => {
    expect(await built(text)).toMatch(
      new RegExp(`try\\.js:${place}: Imports with attributes are not bundled\\. The extension says`),
    )
  })

  it.each<[text: string, place: string]>([
    ['export default (name) =>\n  import(name)', '2:3'],
    [`export default (name) => import(\`../lib/\${name}.json\`)`, '1:33'],
    ["export default (name) => import('../lib/' + name + '.json')", '1:33'],
    ['export default async (name) => {\n  try { await import(name) } catch {}\n}', '2:15'],
    ['export default (name) => import(name).catch(() => 0)', '1:26'],
    ["export default (options) => import('../lib/sum.ts', options)", '1:53'],
    ['export default (name) => require(name)', '1:26'],
    [`export default (name) => require(\`../lib/\${name}\`)`, '1:34'],
    ["const load = require\nexport default () => load('../lib/sum.ts')", '1:14'],
  ])('refuses imports whose text is not known, with file and line: %s', async (text, place) => {
    const names = ['try.js', 'try.ts']
    for (const name of names)
      expect(await built(text, name)).toContain(
        `${name}:${place}: The argument of import() and require() must be a text in quotes, so that it is known`,
      )
    write(at('lib', 'late.js'), text)
    const inside = await built("export { default } from '../lib/late.js'")
    expect(inside).toContain(`../lib/late.js:${place}: The argument of import() and require()`)
  })

  it('does not depend on settings in the folder: tsconfig.json, package.json, pragmas, comments', async () => {
    const keys = join(root, 'home', 'keys.js')
    const options = { baseUrl: '/', paths: { 'my-keys': [keys] }, jsxImportSource: join(root, 'home') }
    const settings: [file: string, content: object][] = [
      [at('tsconfig.json'), { compilerOptions: options }],
      [at('functions', 'tsconfig.json'), { extends: '../tsconfig.json', compilerOptions: options }],
      [
        at('package.json'),
        {
          imports: { '#keys': '../../../keys.js', '#sum': './lib/sum.ts' },
          browser: { './lib/mapped.js': '../../../keys.js', mapped: '../../../keys.js' },
          tessera: { bundle: ['..', join(root, 'home')] },
        },
      ],
    ]
    for (const [file, content] of settings) write(file, content)
    write(at('lib', 'mapped.js'), 'export default 1')
    try {
      for (const path of ['my-keys', '#keys', '../lib/mapped.js', 'mapped', '../../../../keys.js']) {
        const code = await built(`import x from ${JSON.stringify(path)}\nexport default x`, 'try.ts')
        expect([path, code.startsWith('refused: '), code.includes(canary)]).toEqual([path, true, false])
      }
      const pragma = `/** @jsxImportSource ${join(root, 'home')} */\n/** @jsxRuntime automatic */\nexport default <a/>`
      write(at('lib', 'element.tsx'), pragma)
      expect(await built("export { default } from '../lib/element.tsx'")).toMatch(
        /neither a relative path nor/,
      )
      expect(await built("export { sum } from '#sum'")).toContain('a + b')
      const comments =
        `/// <reference path="${keys}" />\nimport '../lib/sum.ts'\n` +
        `export default new URL(${JSON.stringify(keys)}, import.meta.url)\n//# sourceMappingURL=${keys}\n`
      const code = await built(comments, 'try.ts')
      expect([code.includes('new URL('), code.includes(canary)]).toEqual([true, false])
    } finally {
      for (const [file] of settings) rmSync(file)
    }
  })

  it('includes code and JSON of the app, packages of the project, and those of its workspaces', async () => {
    expect(
      await built("import { sum } from '../lib/sum'\nexport default () => sum(1, 2)", 'try.ts'),
    ).toContain('a + b')
    expect(await built("import { list } from '../lib/list.json'\nexport default list")).toContain('from-json')
    expect(await built("export default () => import('../lib/list.json')")).toContain('from-json')
    expect(await built("export { default } from 'good'")).toContain('from-good')
    expect(await built("export { default } from '@own/linked'")).toContain('from-inner')
  })

  it('includes further folders if package.json beside the lock file names them, and never its own state', async () => {
    write(join(project, 'shared', 'rate.ts'), "export const rate: string = 'from-shared'")
    secret(join(project, 'shared', '.env.js'))
    const use = "export { rate } from '../../../shared/rate.ts'"
    expect(await built(use)).toContain('shared/rate.ts is not bundled.')
    const named = (bundle: unknown) =>
      write(join(project, 'package.json'), { name: 'project', tessera: { bundle } })
    try {
      named(['shared', 'tessera/shop/settings'])
      expect(await built(use)).toContain('from-shared')
      expect(await built("export * from '../../../shared/.env.js'")).toContain('leading dot')
      expect(await built("export * from '../settings/credentials.json'")).toContain(
        'belongs to the command line',
      )
      named('shared')
      expect(await built(use)).toContain('must be a list of folders.')
      named(['none'])
      expect(await built(use)).toContain('names none, which is not there.')
    } finally {
      named([])
    }
  })

  it('without a lock file includes files of the app alone', async () => {
    const lock = join(project, 'package-lock.json')
    rmSync(lock)
    try {
      expect(await built("export { sum } from '../lib/sum'")).toContain('a + b')
      expect(await built("export { default } from 'good'")).toContain('packages need a lock file')
    } finally {
      write(lock, {})
    }
  })

  it('keeps modules that a package replaces by nothing in isolates', async () => {
    const home = join(project, 'node_modules', 'disabled')
    pack(home, { type: 'commonjs', browser: { fs: false, './machine.js': false } })
    write(join(home, 'index.js'), "module.exports = [require('fs'), require('./machine.js')]")
    write(join(home, 'machine.js'), "module.exports = 'of-machines'")
    const code = await built("export { default } from 'disabled'")
    expect([code.startsWith('refused'), code.includes('of-machines')]).toEqual([false, false])
  })
})

describe('the source of a function', () => {
  const path = 'functions/pulled.js'
  const text = "import { sum } from '../lib/sum.ts'\nexport default () => sum(1, 2)\r\n"
  const target = { url: 'https://example.com' }
  const state = (code: string) => ({
    parts: {},
    renames: [],
    codes: codesOf({
      app: { name: '', description: '', datasources: {} },
      tables: new Map(),
      roles: new Map(),
      functions: new Map([['pulled', { settings: {}, code }]]),
      subscriptions: {},
      secretTypes: new Map(),
    }),
  })
  const read = async () => (await buildSource({ folder, path })).code

  it('is deployed byte for byte while it is as a site had it at the last pull, and bundled after an edit', async () => {
    write(at(path), text)
    expect(await read()).toContain('a + b')
    writeState(folder, target, state(text))
    expect(await read()).toBe(text)
    writeState(folder, { url: 'https://other.example.com' }, state('export default 1'))
    expect(await read()).toBe(text)
    write(at(path), `${text}\n`)
    expect(await read()).toContain('a + b')
    writeState(folder, target, state('export default 2'))
    rmSync(at(path))
  })

  it('is not read if it is a link out of the folder', async () => {
    symlinkSync(join(root, 'home', 'keys.js'), at(path))
    await expect(read()).rejects.toThrow('is not a file in')
    rmSync(at(path))
  })
})
