/**
 * The rules of the architecture that a test can check in the imports and the text of the sources.
 * docs/architecture.md.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { errorCodes } from '../src/kernel/error-codes.ts'

const root = join(import.meta.dirname, '..')
const source = join(root, 'src')

interface SourceFile {
  name: string
  text: string
  /** The imported files of src, by name. */
  imports: { target: string; typeOnly: boolean }[]
}

/** Reads our sources in a folder, which its imports are relative to. */
function sourcesOf(folder: string): SourceFile[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.includes('node_modules'))
    .map((name) => {
      const text = readFileSync(join(folder, name), 'utf8')
      const imports = [
        ...text.matchAll(/^(?:import|export) (type )?[^;]*?from '(\.[^']+)'/gms),
        ...text.matchAll(/\b(?<!typeof )import\(()'(\.[^']+)'\)/g),
      ].map(([, type, target]) => ({
        target: relative(folder, resolve(dirname(join(folder, name)), target as string)),
        typeOnly: Boolean(type),
      }))
      return { name, text, imports }
    })
}

const files = sourcesOf(source)

/** The layers from top to bottom. A layer may import itself and the layers after it, values and types. */
const layers: [layer: string, pattern: RegExp][] = [
  ['worker', /^worker\.ts$/],
  ['gate', /^gate\.ts$/],
  ['app', /^app\.ts$/],
  ['areas', /^(areas|route-list)\.ts$|^routes\.json$/],
  ['jobs', /^(jobs|schedule)\.ts$/],
  ['routes', /(^|\/)([\w-]+-)?routes\.tsx?$|^data\/records\/responses\.ts$/],
  ['health', /^operation\/health\//],
  ['reference', /^operation\/reference\//],
  ['mcp', /^operation\/mcp\//],
  ['live', /^operation\/live\//],
  ['docs', /^operation\/docs\//],
  ['home', /^operation\/home\//],
  ['login', /^identity\/login\//],
  ['scim', /^identity\/scim\//],
  ['invitations', /^identity\/invitations\//],
  ['watching', /^operation\/watching\//],
  ['transfers', /^operation\/transfers\//],
  ['mails', /^operation\/mails\//],
  ['data', /^data\//],
  ['audit', /^identity\/audit\//],
  ['accounts', /^identity\/accounts\//],
  ['users', /^identity\/users\//],
  ['organizations', /^identity\/organizations\//],
  ['mail', /^identity\/mail\//],
  ['events', /^runtime\/events\//],
  ['outbox', /^runtime\/outbox\//],
  ['functions', /^runtime\/functions\//],
  ['secrets', /^secrets\//],
  ['questions', /^operation\/questions\//],
  ['access', /^kernel\/access\//],
  ['page', /^kernel\/page\//],
  ['http', /^kernel\/http\//],
  ['db', /^kernel\/db\/(?!(batch|data-sql|database|long-text|results|run|sql)\.ts$)/],
  ['cache', /^kernel\/cache\//],
  ['outgoing', /^kernel\/outgoing\//],
  ['context', /^kernel\/(context|permissions|scopes|standing)\.ts$/],
  // The context of a request uses its database, which uses statements and rows. These do not use a request.
  ['statements', /^kernel\/db\//],
  ['telemetry', /^kernel\/telemetry\//],
  ['shared', /^kernel\/(env|errors|error-codes)\.ts$/],
  ['lib', /^kernel\/lib\//],
]
const isRoutes = (name: string) => /(^|\/)([\w-]+-)?routes\.tsx?$|^data\/records\/responses\.ts$/.test(name)
const layerOf = (name: string) => layers.findIndex(([, pattern]) => pattern.test(name))

/** The wings of src from top to bottom. A wing may import those after it; identity and data are side by side. */
const wings = [['operation'], ['identity', 'data'], ['runtime'], ['secrets'], ['kernel']]

/** The folders of data from bottom to top. A folder may import itself and the folders before it. */
const rooms = [
  'model',
  'query',
  'providers',
  'catalog',
  'failures',
  'guests',
  'datasources',
  'apps',
  'datatables',
  'schema-changes',
  'write',
  'records',
  'explanations',
  'history',
  'edges',
  'batch',
  'across-sites',
  'graph',
]
const roomOf = (name: string) => rooms.indexOf(/^data\/([^/]+)\//.exec(name)?.[1] ?? '')

/** Returns the files of src that a file imports. */
const own = ({ imports }: SourceFile): string[] =>
  imports.map(({ target }) => target).filter((target) => !target.startsWith('..'))

/** Returns the imports that a rule forbids. */
const wrongImports = (isWrong: (name: string, target: string) => boolean): string[] =>
  files.flatMap((file) =>
    own(file)
      .filter((target) => isWrong(file.name, target))
      .map((target) => `${file.name} → ${target}`),
  )

describe('an isolate', () => {
  it('loads at its start only these files; everything else is loaded when it is first needed', () => {
    const loaded = new Set(['worker.ts'])
    for (const name of loaded) {
      const { text = '' } = files.find((one) => one.name === name) ?? {}
      for (const [, target] of text.matchAll(/^(?:import|export) (?!type )[^']*?from '(\.[^']+)'/gm))
        loaded.add(relative(source, resolve(dirname(join(source, name)), target as string)))
    }
    expect([...loaded].sort()).toEqual([
      'kernel/access/rate-limiter.ts',
      'kernel/cache/coherent-cache.ts',
      'kernel/cache/fenced-entries.ts',
      'kernel/cache/live-objects.ts',
      'kernel/lib/cipher.ts',
      'kernel/lib/log.ts',
      'kernel/outgoing/failure.ts',
      'operation/live/live-feed.ts',
      'operation/live/live-list.ts',
      'runtime/functions/runners/network.ts',
      'secrets/encryption/site-key.ts',
      'secrets/entries/cache/secret-cache.ts',
      'secrets/entries/decide.ts',
      'worker.ts',
    ])
  })
})

describe('imports run one way', () => {
  it('every file belongs to a layer', () => {
    expect(
      files.filter(({ name }) => layerOf(name) === -1 && !name.endsWith('.d.ts')).map(({ name }) => name),
    ).toEqual([])
  })

  it('from worker to lib, never back', () => {
    expect(wrongImports((name, target) => layerOf(target) < layerOf(name))).toEqual([])
  })

  it('between the wings, from operation to kernel, never back', () => {
    const wingOf = (name: string) =>
      wings.findIndex((wing) => wing.some((part) => name.startsWith(`${part}/`)))
    const partOf = (name: string) => name.split('/')[0]
    const sourceWings = readdirSync(source, { withFileTypes: true }).filter((entry) => entry.isDirectory())
    expect(sourceWings.map(({ name }) => name).sort()).toEqual(wings.flat().sort())
    expect(
      wrongImports(
        (name, target) =>
          wingOf(name) !== -1 &&
          partOf(name) !== partOf(target) &&
          (wingOf(target) === -1 || wingOf(target) <= wingOf(name)),
      ),
    ).toEqual([])
  })

  it('every wing says what it is for', () => {
    expect(wings.flat().filter((wing) => !existsSync(join(source, wing, 'README.md')))).toEqual([])
  })

  it('every file of data belongs to a folder in the order', () => {
    const homeless = files.filter(({ name }) => name.startsWith('data/') && roomOf(name) === -1)
    expect(homeless.map(({ name }) => name)).toEqual([])
  })

  it('from graph to model, never back, except for routes', () => {
    expect(
      wrongImports(
        (name, target) =>
          roomOf(name) !== -1 && roomOf(target) !== -1 && !isRoutes(name) && roomOf(target) > roomOf(name),
      ),
    ).toEqual([])
  })

  it.each(['src', 'console/src', 'cli/src', 'client/src', 'dev'])(
    'without cycles, also of types: %s',
    (folder) => {
      const graph = new Map(sourcesOf(join(root, folder)).map((file) => [file.name, own(file)]))
      const circles: string[] = []
      const visit = (name: string, path: string[]) => {
        if (path.includes(name)) {
          circles.push([...path.slice(path.indexOf(name)), name].join(' → '))
          return
        }
        if (done.has(name)) return
        for (const target of graph.get(name) ?? []) visit(target, [...path, name])
        done.add(name)
      }
      const done = new Set<string>()
      for (const name of graph.keys()) visit(name, [])
      expect(circles).toEqual([])
    },
  )

  it('no two folders import each other, except for routes and nested folders', () => {
    const arrows = new Map<string, string>()
    for (const file of files.filter(({ name }) => !isRoutes(name)))
      for (const target of own(file))
        arrows.set(`${dirname(file.name)} → ${dirname(target)}`, `${file.name} → ${target}`)
    const isInside = (inner: string, outer: string) => outer === '.' || `${inner}/`.startsWith(`${outer}/`)
    const mutual = [...arrows].flatMap(([arrow, example]) => {
      const [from = '', to = ''] = arrow.split(' → ')
      const back = arrows.get(`${to} → ${from}`)
      return back && from < to && !isInside(from, to) && !isInside(to, from) ? [`${example}; ${back}`] : []
    })
    expect(mutual).toEqual([])
  })

  it('an area uses another one only through its service.ts and schema.ts', () => {
    const areaOf = (name: string) =>
      /^((identity|operation|runtime)\/[^/]+|data|secrets)(?=\/)/.exec(name)?.[0]
    const wrong = wrongImports(
      (name, target) =>
        areaOf(target) !== undefined &&
        areaOf(name) !== undefined &&
        areaOf(name) !== areaOf(target) &&
        !/\/(service|schema)\.ts$/.test(target),
    )
    expect(wrong).toEqual([])
  })
})

describe('each of these is in one place', () => {
  const holders = (pattern: RegExp) => files.filter(({ text }) => pattern.test(text)).map(({ name }) => name)

  it('only db/client.ts and db/session.ts use Neon', () => {
    expect(
      files
        .filter(
          ({ text }) =>
            /from '@neondatabase\/serverless'/.test(text) &&
            !/^import type/m.test(text.match(/^import.*@neondatabase.*$/m)?.[0] ?? ''),
        )
        .map(({ name }) => name),
    ).toEqual(['kernel/db/client.ts', 'kernel/db/session.ts'])
  })

  it('zod is imported as a namespace, of which the bundle omits what nobody uses: sixty languages', () => {
    expect(holders(/^import \{ z\b.* from 'zod'/m)).toEqual([])
  })

  it('only db/sql.ts quotes identifiers and makes SQL from text', () => {
    expect(holders(/new Sql\(/)).toEqual(['kernel/db/sql.ts'])
    expect(holders(/sql\.raw|replaceAll\('"'/)).toEqual(['kernel/db/sql.ts'])
  })

  it('only routes, pages and http use the context of Hono', () => {
    expect(
      holders(/from 'hono(\/|')/).filter(
        (name) =>
          !/(routes|responses|page)\.tsx?$|^kernel\/http\/|^kernel\/page\/|^app\.ts$|^kernel\/access\/(policies|credentials)\.ts$/.test(
            name,
          ),
      ),
    ).toEqual(['kernel/errors.ts'])
  })

  it('only access/hashing.ts hashes passwords, one after the other', () => {
    expect(
      files.filter(({ text }) => /\b(hashPassword|verifyPassword)\(/.test(text)).map(({ name }) => name),
    ).toEqual(['kernel/access/hashing.ts', 'kernel/access/passwords.ts'])
  })

  it('only lib/isolate-cache.ts and these lists, by variables or names of the program, grow in an isolate', () => {
    const grows = /^(?:export )?(?:const|let) (\w+)[^=\n]*= (?:\{\n[^}]*?)?new (?:Map|Set)(?:<.*>)?\(\)/gm
    const found = files.flatMap(({ name, text }) =>
      [...text.matchAll(grows)].map(([, at]) => `${name} ${at}`),
    )
    expect(found.sort()).toEqual([
      'kernel/access/derived-keys.ts derived',
      'kernel/access/signing-keys.ts rings',
      'kernel/db/client.ts drivers',
      'kernel/db/probe.ts healths',
      'kernel/db/replica.ts resting',
      // The counts of some seconds.
      'kernel/db/use.ts byDatabase',
      // The forms of files, which the loader and the console read, and no isolate.
      'kernel/lib/written/dates.ts compiled',
      'kernel/lib/written/numbers.ts expressions',
      'kernel/telemetry/exporter.ts outboxes',
      'kernel/telemetry/metrics.ts seriesOf',
      'operation/docs/pages.ts rendered',
      // The runs that have not ended.
      'runtime/functions/runners/credential.ts running',
      'secrets/encryption/master-keys.ts rings',
    ])
  })

  it('nothing evaluates text as code', () => {
    expect(holders(/\beval\(|new Function\(/)).toEqual([])
  })
})

describe('every error has a code', () => {
  it('and every code is that of an error', () => {
    const texts = files.filter(({ name }) => name !== 'error-codes.ts').map(({ text }) => text)
    const unused = Object.keys(errorCodes).filter((code) => !texts.some((text) => text.includes(`'${code}'`)))
    expect(unused).toEqual([])
  })

  it('because only an AppError, which demands one, makes an answer with the status of an error', () => {
    // The driver of Neon gets this answer, not a client.
    const except = ['kernel/db/result-memory.ts']
    const answers = /\b(?:Response|c\.(?:json|body|text|html))\(.*\b[45]\d\d\b|\{.*\bstatus: [45]\d\d\b/
    const doors = files.filter(({ name, text }) => !except.includes(name) && answers.test(text))
    const others = files.filter(({ text }) => /new HTTPException|c\.status\(/.test(text))
    expect([...doors, ...others].map(({ name }) => name)).toEqual([])
  })
})

describe('a file can be read alone', () => {
  /** Lines that cannot be broken: regular expressions, and lists in rows. */
  const unbreakable = /biome-ignore|^\s*\/.*\/[a-z]*[,.]?(exec\(|test\()?$|prettier-ignore/

  it('every file begins with a comment about its purpose', () => {
    const silent = files.filter(({ name, text }) => !name.endsWith('.d.ts') && !text.startsWith('/**'))
    expect(silent.map(({ name }) => name)).toEqual([])
  })

  const declared =
    /^(?:\/\*\* (.*) \*\/\n)?(?:\/\/ biome-ignore.*\n)?export (?:async )?(?:abstract )?(?:function|class|const|interface|type) (\w+)(.*)$/gm

  it('an exported function that throws has a comment that says what', () => {
    const undocumented = files.flatMap(({ name, text }) =>
      [...text.matchAll(/(\*\/\n)?(?:\/\/ biome-ignore.*\n)?^export (?:async )?function (\w+)[\s\S]*?^}$/gm)]
        .filter(([body, comment]) => !comment && /\bthrow /.test(body))
        .map(([, , declaredName]) => `${name}: ${declaredName}`),
    )
    expect(undocumented).toEqual([])
  })

  it('no comment of one line only repeats the name that it stands at', () => {
    const stem = (word: string) => word.toLowerCase().replace(/(ies|ing|ed|es|s|d|e)$/, '')
    const wordsOf = (text: string) =>
      (text.replace(/([a-z])([A-Z])/g, '$1 $2').match(/[A-Za-z]+/g) ?? []).map(stem)
    const filler = new Set(
      wordsOf('a an the of and or to in for its is are all returns builds makes creates shows reads'),
    )
    const echoes = files.flatMap(({ name, text }) =>
      [...text.matchAll(declared)]
        .filter(([, comment, declaredName = '', rest = '']) => {
          if (comment === undefined || /[;:(`\d]|[Tt]hrows|unless|only|if |never|null/.test(comment))
            return false
          const known = new Set([...wordsOf(declaredName), ...wordsOf(rest), ...wordsOf(name), ...filler])
          return wordsOf(comment).every((word) => known.has(word))
        })
        .map(([, comment, declaredName]) => `${name}: ${declaredName}: ${comment}`),
    )
    expect(echoes).toEqual([])
  })

  it('no file has more than 300 lines', () => {
    const long = ['src', 'console/src', 'cli/src', 'client/src', 'dev', 'bench', 'drizzle'].flatMap(
      (folder) =>
        sourcesOf(join(root, folder))
          .filter(({ text }) => text.split('\n').length > 301)
          .map(({ name }) => `${folder}/${name}`),
    )
    expect(long).toEqual([])
  })

  it('no line is wider than 110 columns', () => {
    const wide = files.flatMap(({ name, text }) =>
      text
        .split('\n')
        .filter((line) => [...line].length > 110 && !unbreakable.test(line))
        .map((line) => `${name}: ${line.trim().slice(0, 80)}`),
    )
    expect(wide).toEqual([])
  })
})

describe('tests that need no service', () => {
  const folder = join(root, 'test')
  const tests = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) =>
      name.endsWith('.test.ts') &&
      !/^(dev|docs|cli|browser|clients|postgres|postgrest|first-hour)\/|^architecture/.test(name),
  )
  const known = new Map<string, boolean>()

  /** Tells if a file reaches workerd, a database or a server of global-setup through its imports. */
  function needsService(path: string): boolean {
    const before = known.get(path)
    if (before !== undefined) return before
    known.set(path, false)
    const text = readFileSync(path, 'utf8')
    const imports = text.matchAll(/^(?:import|export) (?!type )(?:[^;']*? from )?'([^']+)'/gm)
    const needs =
      (/\binject\(/.test(text) && !/support\/(runs|scaled)\.ts$/.test(path)) ||
      [...imports].some(([, target = '']) =>
        target.startsWith('.')
          ? /\.tsx?$/.test(target) && needsService(resolve(dirname(path), target))
          : /^(cloudflare:|@neondatabase\/|pg$)/.test(target),
      )
    known.set(path, needs)
    return needs
  }

  it('are the tests in test/unit, which run in Node', () => {
    const wrong = tests.filter((name) => name.startsWith('unit/') === needsService(join(folder, name)))
    expect(wrong).toEqual([])
  })

  it('mirror the folders of src', () => {
    const folders = tests.filter((name) => name.startsWith('unit/')).map((name) => dirname(name.slice(5)))
    expect(folders.filter((name) => !existsSync(join(source, name)))).toEqual([])
  })
})
