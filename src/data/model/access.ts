/**
 * The member `access` of a table's schema: the rules that say what guests may do with its records. A guest is
 * a caller without `access_site`. Everything that no rule allows is forbidden.
 */
import * as z from 'zod'
import { rolePattern } from '../../kernel/lib/role-name.ts'
import { permissions } from '../../kernel/permissions.ts'
import { type GraphSchema, relationshipTypesOf } from './graph-schema.ts'

/** The actions of rules that do not write. */
const readActions = ['read', 'history'] as const

/** The actions of rules. */
export const actions = [...readActions, 'create', 'update', 'delete', 'edges'] as const

/** One of the things that rules can allow. */
export type Action = (typeof actions)[number]

const plainWho = ['anyone', 'signed-in', 'user'] as const

const whoPattern = /^(group|permission|role):([^\s\p{C}](?:[^\p{C}]{0,98}[^\s\p{C}])?)$/u

const namePattern = /^[\p{L}\p{N}][\p{L}\p{N} _-]{0,99}$/u

/** The callers to whom a rule applies. */
const who = z.string().refine(isWho, {
  error:
    `must be one of ${plainWho.join(', ')}, group:<name>, role:<name> and permission:<permission>, ` +
    `which is one of ${permissions.join(', ')}`,
})

function isWho(text: string): boolean {
  const [, kind, name = ''] = whoPattern.exec(text) ?? []
  if (kind === 'role') return rolePattern.test(name)
  return isPlainWho(text) || kind === 'group' || (permissions as readonly string[]).includes(name)
}

function isPlainWho(text: string): text is (typeof plainWho)[number] {
  return (plainWho as readonly string[]).includes(text)
}

const filter = z.record(z.string(), z.json())
const fieldList = z.array(z.string()).min(1).max(1000)

/** A rule of a table. */
const accessRule = z.strictObject({
  name: z
    .string()
    .regex(namePattern, 'a rule name has up to 100 letters, digits, spaces, hyphens and underscores'),
  who,
  /** `edges` allows edges whose two ends both match rules with `edges`. */
  can: z.array(z.enum(actions)).min(1),
  /** A filter, as in `?filters=`. A value in it can be `{"$": "user.id"}`. Omitted: every record. */
  where: filter.optional(),
  /** The condition for records after they were created or changed. Omitted: the condition of `where`. */
  check: filter.optional(),
  /** The values that created and changed records get, by field. A value can be `{"$": "user.id"}`. */
  set: z.record(z.string(), z.json()).optional(),
  /** The fields that records show, and those that may be written. A list is both. Omitted: all. */
  fields: z
    .union([fieldList, z.strictObject({ read: fieldList.optional(), write: fieldList.optional() })])
    .optional(),
})

const rulesMax = 50

/** A rule of an app: that of a table, and the tables to which it applies. */
const appRule = accessRule.extend({
  /** `*` applies to all tables of the app, also to future ones. */
  tables: z.union([z.literal('*'), z.array(z.string().min(1).max(100)).min(1).max(1000)]),
})
/** A rule of an app as it is stored. */
export type AppRule = z.output<typeof appRule>

/** The rules of an app. X2. */
export const appRules = z
  .array(appRule)
  .max(rulesMax)
  .describe('The rules of the app: like those of a table, with the `tables` to which each applies.')

/** The rules of a table. */
export const accessSchema = z.strictObject({
  rules: z
    .array(accessRule)
    .max(rulesMax)
    .describe('The rules. A caller may do everything that at least one of them ' + 'allows.'),
})

/** The rules of a table as a body of the API. */
export const accessRules = accessSchema.meta({
  id: 'AccessRules',
  description: 'What callers without `access_site` may do with the records of a datatable.',
})

/** The rules of a table as they are stored. */
export type AccessSchema = z.output<typeof accessSchema>
/** A rule as it is stored. */
export type AccessRule = z.output<typeof accessRule>

type NamedWho = 'group' | 'permission' | 'role'

/**
 * The callers to whom a rule applies: everyone of a kind, the members of a group, or accounts with a
 * permission or a role in the site.
 */
export type Who = { kind: (typeof plainWho)[number] } | { kind: NamedWho; name: string }

/** Parses the `who` of a rule. It must have been checked. */
export function whoOf({ who: text }: AccessRule): Who {
  if (isPlainWho(text)) return { kind: text }
  const [, kind, name = ''] = whoPattern.exec(text) as RegExpExecArray
  return { kind: kind as NamedWho, name }
}

export const allows = ({ can }: AccessRule, action: Action): boolean => can.includes(action)

/** Tells whether a rule allows creations or changes, in which records get values. */
const allowsValues = (rule: AccessRule): boolean => allows(rule, 'create') || allows(rule, 'update')

/** A table, as far as it decides which rules of its app apply to it. */
interface Ruled extends GraphSchema {
  access?: AccessSchema | undefined
  history?: unknown
}

/** Returns the rules of an app that apply to a table, without what it does not have: edges or a history. */
function rulesFor(rules: readonly AppRule[], name: string, schema: Ruled): AccessRule[] {
  const has = (action: Action) =>
    action === 'edges' ? relationshipTypesOf(schema) !== undefined : action !== 'history' || schema.history
  return rules
    .filter(({ tables }) => tables === '*' || tables.includes(name))
    .map(({ tables: _, ...rule }) => ({ ...rule, can: rule.can.filter(has) }))
    .filter(({ can }) => can.length > 0)
}

/** Returns all rules of a table: its own, and then those of its app. */
export const rulesOf = (schema: Ruled, name: string, ofApp: readonly AppRule[]): AccessRule[] => [
  ...(schema.access?.rules ?? []),
  ...rulesFor(ofApp, name, schema),
]

/** Returns the rules that allow reading, each with its position among all rules. */
export const readingRules = (rules: readonly AccessRule[]): { rule: AccessRule; position: number }[] =>
  rules.flatMap((rule, position) => (allows(rule, 'read') ? [{ rule, position }] : []))

/** Returns the fields that a rule shows; undefined: all. */
export const shownBy = ({ fields }: AccessRule): readonly string[] | undefined =>
  Array.isArray(fields) ? fields : fields?.read

/** Returns the fields that a rule allows to write; undefined: all. */
export const writtenBy = ({ fields }: AccessRule): readonly string[] | undefined =>
  Array.isArray(fields) ? fields : fields?.write

/** The name that the search of a table has in Postgres, unless a field has it. */
const searchName = 'search_vector'

interface SchemaWithAccess {
  fields: readonly { name: string; generated?: string | undefined }[]
  unreadable: ReadonlySet<string>
  primaryKey?: readonly string[] | undefined
  access?: AccessSchema | undefined
  history?: unknown
}

type SchemaWithEdges = SchemaWithAccess & GraphSchema

/** Returns the problems of a schema's rules, each with its place, except those of their filters. */
export function accessProblems(schema: SchemaWithEdges): string[] {
  const rules = schema.access?.rules ?? []
  return rules.flatMap((rule, position) => {
    const isRepeated = rules.findIndex(({ name }) => name === rule.name) < position
    return [
      ...(isRepeated ? [`name: there are two rules named ${JSON.stringify(rule.name)}`] : []),
      ...ruleProblems(schema, rule),
    ].map((problem) => `access.rules[${position}].${problem}`)
  })
}

/** Returns the problems of a rule in a table, each with its member, except those of its filters. */
export const ruleProblems = (schema: SchemaWithEdges, rule: AccessRule): string[] => [
  ...fieldProblems(schema, rule),
  ...writeProblems(schema, rule),
  ...historyProblems(schema, rule),
  ...edgeProblems(schema, rule),
]

function fieldProblems(schema: SchemaWithAccess, rule: AccessRule): string[] {
  const { primaryKey = [] } = schema
  const isField = isFieldOf(schema)
  const shown = allows(rule, 'read') ? shownBy(rule) : undefined
  const named = [...new Set([...(shownBy(rule) ?? []), ...(writtenBy(rule) ?? [])])]
  return [
    ...named
      .filter((name) => !isField(name))
      .map((name) => `fields: there is no field ${JSON.stringify(name)}`),
    ...(shown && isField(searchName) && !shown.includes(searchName)
      ? [`fields: "${searchName}" is missing: searches of guests need a field of this name`]
      : []),
    ...primaryKey
      .filter((name) => shown && !shown.includes(name))
      .map((name) => `fields: "${name}" is missing: guests name records by the primary key`),
  ]
}

/** Returns the problems of the rule members that concern the values of written records. */
function writeProblems(schema: SchemaWithAccess, rule: AccessRule): string[] {
  const { primaryKey = [] } = schema
  const isField = isFieldOf(schema)
  const isFixed = (name: string) =>
    name === 'is_deleted' || primaryKey.includes(name) || isComputed(schema, name)
  const members = [...(rule.check ? ['check'] : []), ...(rule.set ? ['set'] : [])]
  return [
    ...members
      .filter(() => !allowsValues(rule))
      .map((member) => `${member}: only a rule that can "create" or "update" has it`),
    ...Object.keys(rule.set ?? {}).flatMap((name) => {
      if (!isField(name)) return [`set: there is no field ${JSON.stringify(name)}`]
      return isFixed(name) ? [`set: ${JSON.stringify(name)} cannot be filled in`] : []
    }),
  ]
}

function historyProblems({ history }: SchemaWithAccess, rule: AccessRule): string[] {
  if (!allows(rule, 'history')) return []
  return [
    ...(allows(rule, 'read')
      ? []
      : ['can: "read" is missing: "history" gives the versions of records that the rule shows']),
    ...(history ? [] : ['can: "history" needs a table with a history: set "history": true in its schema']),
  ]
}

/** A rule with edges allows creating and deleting edges between the records of its `where`. */
const edgeProblems = (schema: GraphSchema, rule: AccessRule): string[] =>
  !allows(rule, 'edges') || relationshipTypesOf(schema)
    ? []
    : ['can: "edges" needs a table with edges: set "hierarchy" or "graph" in its schema']

const isComputed = ({ fields }: SchemaWithAccess, name: string): boolean =>
  fields.some((field) => field.name === name && field.generated !== undefined)

const isFieldOf =
  ({ fields, unreadable }: SchemaWithAccess) =>
  (name: string): boolean =>
    unreadable.has(name) || fields.some((field) => field.name === name)
