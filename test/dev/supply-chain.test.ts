/**
 * The dependencies of the service: exact versions, no known vulnerabilities, few at run time, and all from
 * the registry.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..', '..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')

interface Package {
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
  allowScripts: Record<string, boolean>
}
interface Locked {
  version?: string
  resolved?: string
  integrity?: string
  link?: boolean
  hasInstallScript?: boolean
}
const { dependencies, devDependencies, allowScripts } = JSON.parse(read('package.json')) as Package
const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> }
const locked = Object.entries(packages).filter(([path, { link }]) => path !== '' && !link)
const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)

const isAtLeast = (version: string, least: string): boolean => {
  const [a, b] = [version, least].map((text) => text.split(/[.-]/).slice(0, 3).map(Number)) as [
    number[],
    number[],
  ]
  const index = a.findIndex((part, at) => part !== b[at])
  return index === -1 || (a[index] as number) > (b[index] as number)
}

describe('a dependency', () => {
  it('has one exact version', () => {
    const loose = Object.entries({ ...dependencies, ...devDependencies }).filter(
      ([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version),
    )
    expect(loose).toEqual([])
  })

  it('comes from the configured registry, and has a digest', () => {
    const wrong = locked.filter(
      ([, { resolved = '', integrity = '' }]) =>
        resolved.startsWith('git') || !integrity.startsWith('sha512-'),
    )
    expect(wrong.map(([path]) => path)).toEqual([])
  })

  it('runs an install script only if package.json allows it', () => {
    const scripts = new Set(
      locked.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => nameOf(path)),
    )
    expect([...scripts].filter((name) => !(name in allowScripts))).toEqual([])
  })

  it('is listed in the README', () => {
    const table = /## Dependencies\n([\s\S]*?)\n## /.exec(read('README.md'))?.[1] ?? ''
    const named = (name: string) => table.includes(name) || table.includes(`${name.split('/')[0]}/\\*`)
    expect(Object.keys({ ...dependencies, ...devDependencies }).filter((name) => !named(name))).toEqual([])
  })

  it('is one of at most eighteen at run time', () =>
    expect(Object.keys(dependencies).length).toBeLessThanOrEqual(18))

  it.each([
    // CVE-2026-22817, -44456, -47673, -47676 and earlier ones.
    ['hono', '4.12.21'],
    ['jose', '6.0.0'],
    ['openid-client', '6.0.0'],
    ['nodemailer', '7.0.7'],
    ['ws', '8.17.1'],
  ])('%s is %s or newer, wherever it is installed', (name, least) => {
    const versions = locked.filter(([path]) => nameOf(path) === name).map(([, { version = '' }]) => version)
    expect(versions.length).toBeGreaterThan(0)
    expect(versions.filter((version) => !isAtLeast(version, least))).toEqual([])
  })
})

describe('the source of the service', () => {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.tsx?$/.test(name),
  )

  it.each<[string, RegExp]>([
    ['PBKDF2, for which Workers allow too few rounds', /pbkdf2(Sync)?\(|'PBKDF2'/],
    ['text that is run as code', /\beval\(|new Function\(/],
    ["Hono's own tokens, cache and mounted apps", /from 'hono\/(jwt|jwk|cache)'|\.mount\(/],
  ])('has no %s', (_what, pattern) => {
    expect(files.filter((name) => pattern.test(readFileSync(join(root, 'src', name), 'utf8')))).toEqual([])
  })
})
