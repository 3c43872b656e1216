/**
 * The member `access` of a table's schema: the rules that say what guests may do with its records. A guest is
 * a caller without `access_site`. Nothing is allowed that no rule allows.
 */
import { z } from 'zod'
import { permissions } from '../../permissions.ts'

/** What rules can allow. */
export const actions = ['read', 'history'] as const

const plainWho = ['anyone', 'signed-in', 'user'] as const

const whoPattern = /^(group|permission):([^\s\p{C}](?:[^\p{C}]{0,98}[^\s\p{C}])?)$/u

const namePattern = /^[\p{L}\p{N}][\p{L}\p{N} _-]{0,99}$/u

/** Whom a rule is for. */
const who = z.string().refine(isWho, {
  error:
    `must be one of ${plainWho.join(', ')}, group:<name> and permission:<permission>, ` +
    `which is one of ${permissions.join(', ')}`,
})

function isWho(text: string): boolean {
  const [, kind, name = ''] = whoPattern.exec(text) ?? []
  return isPlainWho(text) || kind === 'group' || (permissions as readonly string[]).includes(name)
}

function isPlainWho(text: string): text is (typeof plainWho)[number] {
  return (plainWho as readonly string[]).includes(text)
}

/** A rule of a table. */
const accessRule = z.strictObject({
  name: z
    .string()
    .regex(namePattern, 'a rule name has up to 100 letters, digits, spaces, hyphens and underscores'),
  who,
  can: z.array(z.enum(actions)).min(1),
  /** A filter, as in `?filters=`, of which a value can be `{"$": "user.id"}`. Omitted: every record. */
  where: z.record(z.string(), z.json()).optional(),
  /** The fields that records show. Omitted: all. */
  fields: z.array(z.string()).min(1).max(1000).optional(),
})

const rulesMax = 50

/** The rules of a table. */
export const accessSchema = z.strictObject({
  rules: z.array(accessRule).max(rulesMax).describe('The rules. A caller may do what any of them allows.'),
})

/** The rules of a table as a body of the API. */
export const accessRules = accessSchema.meta({
  id: 'AccessRules',
  description: 'What callers without `access_site` may read of a datatable.',
})

/** The rules of a table as they are stored. */
export type AccessSchema = z.output<typeof accessSchema>
/** A rule as it is stored. */
export type AccessRule = z.output<typeof accessRule>

/** Whom a rule is for: everyone of a kind, or the members of a group, or the holders of a permission. */
export type Who =
  | { kind: (typeof plainWho)[number] }
  | { kind: 'group'; name: string }
  | { kind: 'permission'; name: string }

/** Reads the `who` of a rule, which has been checked. */
export function whoOf({ who: text }: AccessRule): Who {
  if (isPlainWho(text)) return { kind: text }
  const [, kind, name = ''] = whoPattern.exec(text) as RegExpExecArray
  return { kind: kind as 'group' | 'permission', name }
}

/** The name that the search of a table has in Postgres, unless a field has it. */
const searchName = 'search_vector'

interface SchemaWithAccess {
  fields: readonly { name: string }[]
  unreadable: ReadonlySet<string>
  primaryKey?: readonly string[] | undefined
  access?: AccessSchema | undefined
  history?: unknown
}

/** Returns what is wrong with the rules of a schema, each with its place before it, without their filters. */
export function accessProblems(schema: SchemaWithAccess): string[] {
  const { fields, unreadable, primaryKey = [], access, history } = schema
  const rules = access?.rules ?? []
  const isField = (name: string) => unreadable.has(name) || fields.some((field) => field.name === name)
  return rules.flatMap((rule, position) => {
    const place = `access.rules[${position}]`
    const first = rules.findIndex(({ name }) => name === rule.name)
    const given = rule.fields ?? []
    const hidden = rule.fields ? primaryKey.filter((name) => !given.includes(name)) : []
    return [
      ...(first < position ? [`${place}.name: there are two rules named ${JSON.stringify(rule.name)}`] : []),
      ...given
        .filter((name) => !isField(name))
        .map((name) => `${place}.fields: there is no field ${JSON.stringify(name)}`),
      ...(rule.fields && isField(searchName) && !given.includes(searchName)
        ? [`${place}.fields: "${searchName}" is missing: searches of guests need a field of this name`]
        : []),
      ...hidden.map(
        (name) => `${place}.fields: "${name}" is missing: guests name records by the primary key`,
      ),
      ...(rule.can.includes('history') && !rule.can.includes('read')
        ? [`${place}.can: "read" is missing: "history" gives the versions of records that the rule shows`]
        : []),
      ...(rule.can.includes('history') && !history
        ? [`${place}.can: "history" needs a table that keeps versions: set "history": true in its schema`]
        : []),
    ]
  })
}
