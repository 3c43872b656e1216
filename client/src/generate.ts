/**
 * Writes the types of apps from their OpenAPI documents, `GET /api/apps/{app}/schema/`. The entry point
 * `tessera-client/generate`.
 */

import { comment, inComment, key, member, quoted } from './typescript-text.ts'
import { descriptionOf, kindOf, plain, type SchemaPart, valueType } from './value-types.ts'

/** The parts of an app's document from which its types are generated. */
export interface AppDocument {
  paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  tags: readonly { name?: unknown; description?: unknown }[]
  components: { schemas: Readonly<Record<string, SchemaPart>> }
}

/** The parts of a function of an app that its types need. */
export interface FunctionPart {
  slug: string
  /** The keys of the secrets that it declares. */
  secrets: readonly string[]
  /** The names of its variables. Undefined: the caller may not see them. */
  variables?: readonly string[] | undefined
}

/** The options for the generated types. */
export interface GenerateOptions {
  /**
   * `number` (the default), or `exact`: integers beyond ±(2^53−1) are strings of digits in responses, and the
   * type includes strings.
   */
  integers?: 'number' | 'exact' | undefined
  /** The module that `Json` is imported from. Default: `tessera-client`. */
  from?: string | undefined
  /**
   * The functions of the apps, by the slugs of the apps. The types of their contexts are written for these
   * apps.
   */
  functions?: Readonly<Record<string, readonly FunctionPart[]>>
}

/** Returns the text of a TypeScript file with the types of apps, by their slugs. */
export function generateTypes(
  apps: Readonly<Record<string, AppDocument>>,
  { integers = 'number', from = 'tessera-client', functions = {} }: GenerateOptions = {},
): string {
  const used = new Set<string>(['FunctionContext', 'Guest', 'Json'])
  const parts = Object.entries(apps).flatMap(([slug, document]) => {
    const name = uniqueName(slug, used)
    const text = appText(slug, name, document, integers === 'exact')
    const own = functions[slug]
    return own ? [text, functionsText(name, own)] : [text]
  })
  const slugs = Object.keys(apps).map((slug) => inComment(JSON.stringify(slug)))
  const imported = [
    ...(Object.keys(functions).length > 0 ? ['FunctionContext'] : []),
    ...(Object.values(apps).some(hasHideable) ? ['Guest'] : []),
    'Json',
  ]
  return [
    `// Types of ${slugs.join(', ')}, made by tessera-client. Make them again rather than edit them.`,
    `import type { ${imported.join(', ')} } from ${quoted(from)}`,
    ...parts,
  ]
    .join('\n\n')
    .concat('\n')
}

function appText(
  slug: string,
  name: string,
  { paths, tags, components }: AppDocument,
  exact: boolean,
): string {
  const { schemas } = components
  const tables = Object.keys(schemas).flatMap((key) => (key.endsWith('.Record') ? key.slice(0, -7) : []))
  const described = new Map(tags.map((tag) => [tag.name, String(tag.description ?? '')]))
  const bodies = tables.map((table) => {
    const writable = Boolean(paths[`/api/apps/${slug}/datatables/${table}/data/`]?.post)
    const lines = tableLines(table, schemas, { writable, exact })
    return [
      ...comment(described.get(table), '  '),
      `  ${member(table)}: {`,
      ...lines.map(indent),
      '  }',
    ].join('\n')
  })
  const hashes = tables.map(
    (table) => `    ${key(table)}: ${quoted(schemas[`${table}.Record`]?.['x-schema-hash'] ?? '')},`,
  )
  return [
    `/** The tables of the app ${inComment(JSON.stringify(slug))}. */`,
    `export interface ${name}Tables {\n${bodies.join('\n')}\n}`,
    '',
    `/** The app, for \`createClient<${name}>\`. */`,
    `export interface ${name} {\n  ${member(slug)}: ${name}Tables\n}`,
    '',
    ...guestLines(slug, name, tables, schemas),
    `/** The hashes of its schemas, for the option \`schemas\` of \`createClient\`. */`,
    `export const ${name[0]?.toLowerCase()}${name.slice(1)}Schemas = {`,
    `  ${key(slug)}: {`,
    ...hashes,
    '  },',
    '} as const',
  ].join('\n')
}

type Schemas = AppDocument['components']['schemas']

/** Returns the names of the relationships of a table whose records a rule may hide from guests. */
const hideableOf = (table: string, schemas: Schemas): string[] =>
  Object.entries(schemas[`${table}.Record`]?.['x-relationships'] ?? {}).flatMap(([name, { hideable }]) =>
    hideable ? [name] : [],
  )

const hasHideable = ({ components: { schemas } }: AppDocument): boolean =>
  Object.keys(schemas).some(
    (key) => key.endsWith('.Record') && hideableOf(key.slice(0, -7), schemas).length > 0,
  )

/** Returns the types of the tables as guests get them; nothing if no rule hides a related record. */
function guestLines(slug: string, name: string, tables: readonly string[], schemas: Schemas): string[] {
  const lines = tables.map((table) => {
    const own = `${name}Tables[${quoted(table)}]`
    const hidden = hideableOf(table, schemas).map(quoted).join(' | ')
    return `  ${member(table)}: ${hidden === '' ? own : `Guest<${own}, ${hidden}>`}`
  })
  if (tables.every((table) => hideableOf(table, schemas).length === 0)) return []
  return [
    '/** The tables as guests get them: a related record that an access rule may hide can be missing. */',
    `export interface ${name}GuestTables {\n${lines.join('\n')}\n}`,
    '',
    `/** The app, for \`createClient<${name}Guest>\` of guests. */`,
    `export interface ${name}Guest {\n  ${member(slug)}: ${name}GuestTables\n}`,
    '',
  ]
}

/** Returns the types of the contexts of an app's functions. */
function functionsText(name: string, functions: readonly FunctionPart[]): string {
  const union = (names: readonly string[]) => names.map(quoted).join(' | ') || 'never'
  const lines = functions.map(
    ({ slug, secrets, variables }) =>
      `  ${member(slug)}: { secrets: ${union(secrets)}; variables: ${variables ? union(variables) : 'string'} }`,
  )
  return [
    '/** The keys of the secrets and the names of the variables of functions, by the slugs of the functions. */',
    `export interface ${name}Functions {${lines.length > 0 ? `\n${lines.join('\n')}\n` : ''}}`,
    '',
    '/** What a function of the app gets as its second argument. `Slug`: for its secrets and variables. */',
    `export type ${name}Context<Slug extends keyof ${name}Functions = never> = FunctionContext<`,
    `  ${name},`,
    `  ${name}Functions[Slug]['secrets'],`,
    `  ${name}Functions[Slug]['variables']`,
    '>',
  ].join('\n')
}

interface TableContext {
  writable: boolean
  exact: boolean
}

/** Returns the lines between the braces of a table. */
function tableLines(table: string, schemas: Schemas, { writable, exact }: TableContext): string[] {
  const record = schemas[`${table}.Record`] ?? {}
  const fields = Object.entries(record.properties ?? {})
  const input = schemas[`${table}.NewRecord`] ?? {}
  const required = new Set(input.required)
  const edges = schemas[`${table}.NewEdge`]?.properties?.type?.enum
  const typeIn = (field: SchemaPart) => valueType(field, exact)
  return [
    'record: {',
    ...fields.flatMap(([name, field]) => [
      ...comment(descriptionOf(field), '  '),
      `  ${member(name)}: ${typeIn(field)}`,
    ]),
    '}',
    ...(writable
      ? [
          'create: {',
          ...fields
            .filter(([, { readOnly }]) => !readOnly)
            .map(([name, field]) => `  ${member(name)}${required.has(name) ? '' : '?'}: ${typeIn(field)}`),
          '}',
        ]
      : ['create: never']),
    'kinds: {',
    ...fields.map(([name, field]) => `  ${member(name)}: '${kindOf(field)}'`),
    '}',
    `key: [${(record['x-primary-key'] ?? []).map(quoted).join(', ')}]`,
    'relationships: {',
    ...Object.entries(record['x-relationships'] ?? {}).map(([name, { to, table: target, nullable }]) => {
      const inside = insideOf(table, name, target, schemas)
      const more = inside === undefined ? '' : `; inside: ${inside}`
      return `  ${member(name)}: { to: ${quoted(to)}; table: ${quoted(target)}; nullable: ${nullable === true}${more} }`
    }),
    '}',
    ...rangeLines(record, typeIn),
    `edges: ${edges ? edges.map((type) => quoted(String(type))).join(' | ') : 'never'}`,
  ]
}

/** Returns the lines of the named ranges, with the type of their ends; none if there are none. */
function rangeLines(record: SchemaPart, typeIn: (field: SchemaPart) => string): string[] {
  const ranges = Object.entries(record['x-ranges'] ?? {})
  const typeOf = (field: string) => typeIn(plain(record.properties?.[field] ?? {}))
  return ranges.length === 0
    ? []
    : ['ranges: {', ...ranges.map(([name, [from]]) => `  ${member(name)}: ${typeOf(from)}`), '}']
}

/**
 * Returns the type of the names of the fields that new records of a relationship get from the record that
 * contains them; undefined if they cannot be created inside a record.
 */
function insideOf(table: string, relationship: string, target: string, schemas: Schemas): string | undefined {
  if (!schemas[`${table}.NewRecord`]?.properties?.[relationship]) return undefined
  const own = schemas[`${table}.NewRecord.${relationship}`]?.properties
  const all = Object.keys(schemas[`${target}.Record`]?.properties ?? {})
  const given = own ? all.filter((name) => !own[name]) : []
  return given.length > 0 ? given.map(quoted).join(' | ') : 'never'
}

const indent = (line: string): string => `    ${line}`

/** Makes a unique name in the file from a slug: `tool-library` becomes `ToolLibrary`. */
function uniqueName(slug: string, used: Set<string>): string {
  const words = slug.split(/[^A-Za-z0-9]+/).filter(Boolean)
  const joined = words.map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`).join('')
  const name = /^[A-Za-z]/.test(joined) ? joined : `App${joined}`
  // The type for guests has a name of its own, which another app could have.
  const namesOf = (index: number) => [`${name}${index || ''}`, `${name}${index || ''}Guest`] as const
  const free = [...Array(used.size + 1).keys()].find((index) => !namesOf(index).some((one) => used.has(one)))
  const [unique, guest] = namesOf(free ?? 0)
  used.add(unique).add(guest)
  return unique
}
