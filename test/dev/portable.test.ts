/**
 * Checks for Windows and macOS that are possible on any system: no step needs a Unix shell, and no path or
 * signal exists on one system only.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..', '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const files = readdirSync(join(root, 'dev'), { recursive: true, encoding: 'utf8' })
  .map((name) => `dev/${name.replaceAll('\\', '/')}`)
  .filter((name) => /\.(ts|mjs)$/.test(name))

/** Features of one system, and the files that use them after a check of the system. */
const rules: [what: string, pattern: RegExp, except: string[]][] = [
  ['a shell', /\bshell:|['"/](ba|z|da)?sh['"]|cmd\.exe['"]|\bexecSync\(|[{,] exec[ ,}]/, []],
  ['node_modules/.bin, whose files differ between systems', /['"/]\.bin\b/, []],
  ['npm by name, which is a script on Windows', /['"]npm(\.cmd)?['"]|['"]npx['"]/, ['dev/install.mjs']],
  ['a process group', /process\.kill\(-/, []],
  ['a signal that Windows lacks', /SIG(STOP|CONT|USR|CHLD|PIPE|WINCH|ALRM)/, []],
  ['a path from a URL, which has a slash before the drive', /import\.meta\.url\)\.pathname/, []],
  ['a path that is built by hand', /\+ '\/'|__dirname|process\.env\.(HOME|TMPDIR)\b/, []],
  [
    'a Unix path',
    /['"`]\/(bin|dev|etc|proc|tmp|usr|var)\b/,
    // Each of these checks the system, or for root, first.
    ['dev/functions/usage.ts', 'dev/npm-process.mjs', 'dev/postgres.ts', 'dev/process-identity.ts'],
  ],
  [
    'a Unix program',
    /(execFile|spawn)(Sync)?\)?\(\s*'(id|ps|kill|pkill|lsof|rm|cp|mv|sed|which|uname|tar)'/,
    ['dev/functions/usage.ts', 'dev/npm-process.mjs', 'dev/postgres-programs.ts', 'dev/process-identity.ts'],
  ],
]

/** Returns the code of a file without comments, which may mention forbidden features. */
const code = (path: string) =>
  read(path)
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/(^|\s)\/\/.*$/gm, '')

describe('the local stack', () => {
  it.each(rules)('does not need %s', (_what, pattern, except) => {
    expect(files.filter((file) => pattern.test(code(file)))).toEqual(
      files.filter((file) => except.includes(file)),
    )
  })
})

describe('the scripts of package.json', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }

  it('run one program each with plain arguments, which every shell reads in the same way', () => {
    const others = Object.values(scripts).filter(
      (script) => !/^(node dev\/[\w-]+\.mjs|biome|wrangler)( [\w./:=-]+)*$/.test(script),
    )
    expect(others).toEqual([])
  })

  it('run files that exist', () => {
    const commands = Object.values(scripts).flatMap(
      (script) => /^node dev\/run\.mjs ([\w-]+)/.exec(script)?.[1] ?? [],
    )
    expect(commands.filter((command) => !files.includes(`dev/${command}.ts`))).toEqual([])
  })
})

describe('wrangler.toml', () => {
  it('has no build step, which would need a shell and would run again for each edit', () => {
    expect(read('wrangler.toml')).not.toMatch(/^\[build\]/m)
  })
})
