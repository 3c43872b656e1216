/** Bindings and variables of the Worker, parsed once. README, "Configuration", says what each is for. */
import { z } from 'zod'
import { canonicalHost, hostOf, isAddressHost, isHostName, isWithin } from './lib/host-name.ts'
import { masterKeyRing, signingKeySet } from './lib/key-rings.ts'
import { slugPattern } from './lib/slug.ts'

/** What wrangler.toml and the secrets give the Worker. */
export interface Env {
  RATE_LIMITER: DurableObjectNamespace
  CACHES: DurableObjectNamespace
  SECRET_CACHES: DurableObjectNamespace
  JOBS: Queue<unknown>
  EVENTS: Queue<unknown>
  ASSETS: Fetcher
  LOADER: WorkerLoader
  /** Runs functions in processes of their own, with a watchdog. The local stack alone has it; elsewhere LOADER runs them. */
  FUNCTION_PROCESSES?: Fetcher
  /** Where Cloudflare sends letters: with EMAIL_TRANSPORT=cloudflare alone. */
  EMAIL?: SendEmail
  [variable: string]: unknown
}

const text = z.string()

/** Accepts what another schema accepts, and keeps it as text. */
const readBy = (schema: z.ZodType) => text.refine((value) => schema.safeParse(value).success)

const wholeNumber = (from: number, to = Number.MAX_SAFE_INTEGER) =>
  text
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .pipe(z.number().min(from).max(to))
const flag = z.enum(['true', 'false']).transform((value) => value === 'true')

/** A URL with one of these schemes and a host. It may contain credentials only if `credentials` is set. */
const url = (schemes: readonly string[], { credentials = false } = {}) =>
  text
    .refine((value) => {
      if (!URL.canParse(value)) return false
      const { protocol, hostname, username, password } = new URL(value)
      return schemes.includes(protocol) && hostname !== '' && (credentials || (username === '' && password === ''))
    })
    .transform((value) => new URL(value))

const databaseUrl = url(['postgres:', 'postgresql:'], { credentials: true }).refine(
  ({ username, pathname }) => username !== '' && pathname.length > 1,
)

export const isDatabaseUrl = (value: string): boolean => databaseUrl.safeParse(value).success

/** A host name in canonical form. */
const hostName = text.transform((value) => canonicalHost(value) ?? '').refine((host) => isHostName(host) && !isAddressHost(host))

const list = text.transform((value) => value.split(',').flatMap((member) => member.trim() || []))

const isOrigin = (value: string) => URL.canParse(value) && new URL(value).origin === value

/** Every port of this machine, for local use. */
const isEveryPort = (value: string) => /^https?:\/\/(localhost|127\.0\.0\.1):\*$/.test(value)

/** Whether CORS_ORIGINS lists an origin, by itself or by its host with every port. */
export const listsOrigin = (origins: ReadonlySet<string>, origin: string): boolean =>
  isOrigin(origin) && (origins.has(origin) || origins.has(`${origin.replace(/:\d+$/, '')}:*`))

/** Whether a URL points to this machine. */
function isLocal(address: URL | undefined): boolean {
  const host = address && hostOf(address)
  return host !== undefined && (host === '127.0.0.1' || host === '[::1]' || isWithin(host, 'localhost'))
}

export const isLocalUrl = (address: string): boolean => URL.canParse(address) && isLocal(new URL(address))

/** One row for each variable: its schema, and what it must be. An empty variable counts as not set. */
const variables = z.object({
  DATABASE_URL: readBy(databaseUrl).describe('the URL of a Postgres database, as postgresql://user:password@host/database'),
  SCHEMA_DATABASE_URL: readBy(databaseUrl).optional().describe('the URL of the same database, with the role that changes large tables'),
  NEON_ENDPOINT: readBy(url(['http:', 'https:']))
    .optional()
    .describe('an http or https URL'),
  SIGNING_KEYS: readBy(signingKeySet).describe(
    'a JSON Web Key Set of ES256 keys with a kid each, the first of them private (npm run db:migrate -- --new-signing-keys prints one)',
  ),
  MASTER_KEYS: readBy(masterKeyRing)
    .optional()
    .describe(
      'a ring of keys as npm run keys:rotate -- --new-master-key prints it: {"current": "<kid>", "keys": {"<kid>": "<32 bytes in base64url>"}}',
    ),
  ENVIRONMENT: z.enum(['production', 'development']).default('production').describe('production or development'),
  BASE_DOMAIN: hostName.optional().describe('a host name such as example.com, without a scheme, a port or a path'),
  PLATFORM_HOSTS: list
    .pipe(z.array(text.transform((value) => canonicalHost(value) ?? '').refine((host) => host !== '')))
    .transform((hosts): ReadonlySet<string> => new Set(hosts))
    .prefault('')
    .describe('host names, separated by commas, without schemes, ports or paths'),
  DOMAIN_PROOF: z
    .enum(['on', 'off'])
    .default('on')
    .describe('on; or off, if PUBLIC_URL leads to localhost, 127.0.0.1, [::1] or a name below localhost'),
  DEFAULT_SITE: text.regex(slugPattern).optional().describe('the slug of a site'),
  CORS_ORIGINS: list
    .refine((origins) => origins.every((origin) => isOrigin(origin) || isEveryPort(origin)))
    .transform((origins): ReadonlySet<string> => new Set(origins))
    .prefault('')
    .describe('origins, separated by commas, as https://app.example.com; if PUBLIC_URL is local, also http://localhost:* and http://127.0.0.1:*'),
  TOKEN_ISSUER: text.default('tessera').describe('a text'),
  ACCESS_TOKEN_SECONDS: wholeNumber(1).default(900).describe('a whole number of seconds from 1'),
  REFRESH_TOKEN_SECONDS: wholeNumber(1).default(1_209_600).describe('a whole number of seconds from 1'),
  SESSION_SECONDS: wholeNumber(1).default(1_209_600).describe('a whole number of seconds from 1'),
  RATE_LIMIT_SIGNED_IN: wholeNumber(1).default(600).describe('a whole number from 1'),
  RATE_LIMIT_ANONYMOUS: wholeNumber(1).default(120).describe('a whole number from 1'),
  RATE_LIMIT_PASSWORD: wholeNumber(1).default(10).describe('a whole number from 1'),
  RATE_LIMIT_SCALE: z.coerce.number().positive().default(1).describe('a number above 0'),
  SITE_CONCURRENCY: wholeNumber(1).default(16).describe('a whole number from 1'),
  BUSY_WAIT_MS: wholeNumber(1).default(5_000).describe('a whole number of milliseconds from 1'),
  QUOTA_ORGANIZATIONS: wholeNumber(1).default(20).describe('a whole number from 1'),
  QUOTA_SITES: wholeNumber(1).default(50).describe('a whole number from 1'),
  QUOTA_APPS: wholeNumber(1).default(50).describe('a whole number from 1'),
  QUOTA_TABLES: wholeNumber(1).default(200).describe('a whole number from 1'),
  QUOTA_FIELDS: wholeNumber(1, 1000).default(200).describe('a whole number from 1 to 1000'),
  QUOTA_INDEXES: wholeNumber(1, 200).default(64).describe('a whole number from 1 to 200'),
  GRAPH_DEPTH_MAX: wholeNumber(1, 100).default(10).describe('a whole number from 1 to 100'),
  ALLOW_PRIVATE_HOSTS: flag.default(false).describe('true or false'),
  DNS_OVER_HTTPS: readBy(url(['http:', 'https:']))
    .default('https://cloudflare-dns.com/dns-query')
    .describe('the URL of a resolver, as https://cloudflare-dns.com/dns-query'),
  QUEUE_PATIENCE_MS: wholeNumber(1).optional().describe('a whole number of milliseconds from 1'),
  PUBLIC_URL: url(['http:', 'https:']).optional().describe('an http or https URL, as https://app.example.com'),
  EMAIL_TRANSPORT: z.enum(['cloudflare', 'smtp', 'mailbox']).optional().describe('cloudflare, smtp or mailbox'),
  EMAIL_FROM: z.email().optional().describe('an e-mail address'),
  SMTP_URL: url(['smtps:'], { credentials: true }).optional().describe('a URL as smtps://user:password@mail.example.com:465'),
  INVITATION_MAX_AGE_DAYS: wholeNumber(1).optional().describe('a whole number of days from 1'),
  INVITATION_EXISTING_ACCOUNTS: z.enum(['guarded', 'specification', 'verify']).default('guarded').describe('guarded, specification or verify'),
  TRASH_DAYS: wholeNumber(1, 3650).default(7).describe('a whole number of days from 1 to 3650'),
  AUDIT_DAYS: wholeNumber(1).default(400).describe('a whole number of days from 1'),
  LARGE_TABLE_BYTES: wholeNumber(0)
    .default(16 * 1024 * 1024)
    .describe('a whole number of bytes from 0'),
})

/** What holds between variables: one row each. */
const rules: readonly [name: VariableName, holds: (config: Pick<Config, 'DOMAIN_PROOF' | 'PUBLIC_URL' | 'CORS_ORIGINS'>) => boolean][] = [
  ['DOMAIN_PROOF', ({ DOMAIN_PROOF, PUBLIC_URL }) => DOMAIN_PROOF === 'on' || isLocal(PUBLIC_URL)],
  ['CORS_ORIGINS', ({ CORS_ORIGINS, PUBLIC_URL }) => isLocal(PUBLIC_URL) || ![...CORS_ORIGINS].some(isEveryPort)],
]
const related = variables.pick({ DOMAIN_PROOF: true, PUBLIC_URL: true, CORS_ORIGINS: true })

/** The variables that break a rule; none where one that the rules are about is malformed itself. */
function breaking(given: Readonly<Record<string, unknown>>): VariableName[] {
  const { data } = related.safeParse(given)
  return data ? rules.flatMap(([name, holds]) => (holds(data) ? [] : name)) : []
}

export type Config = z.infer<typeof variables>
export type VariableName = keyof Config
export const variableNames = Object.keys(variables.shape) as readonly VariableName[]

/** Variables are missing or malformed. The message names each and says what it must be. It never quotes a value. */
export class WrongConfiguration extends Error {
  constructor(lines: readonly string[]) {
    super(lines.join(' '))
    this.name = 'WrongConfiguration'
  }
}

const parsed = new WeakMap<Env, Config | WrongConfiguration>()

/** Throws WrongConfiguration. */
export function configOf(env: Env): Config {
  const known = parsed.get(env) ?? parse(env)
  parsed.set(env, known)
  if (known instanceof WrongConfiguration) throw known
  return known
}

function parse(env: Readonly<Record<string, unknown>>): Config | WrongConfiguration {
  const given = givenOf(env)
  const result = variables.safeParse(given)
  const wrong = new Set([...(result.error?.issues ?? []).map(({ path }) => path[0] as VariableName), ...breaking(given)])
  if (result.success && wrong.size === 0) return result.data
  return new WrongConfiguration([...wrong].map((name) => lineAbout(name, name in given)))
}

/** Throws WrongConfiguration if one of these variables is missing or malformed. For commands that need only some of them. */
export function requireVariables(env: Readonly<Record<string, unknown>>, names: readonly VariableName[]): void {
  const given = givenOf(env)
  const broken = breaking(given)
  const wrong = names.filter((name) => !variables.shape[name].safeParse(given[name]).success || broken.includes(name))
  if (wrong.length > 0) throw new WrongConfiguration(wrong.map((name) => lineAbout(name, name in given)))
}

/** The line that tells the operator about a missing or malformed variable. */
export const lineAbout = (name: VariableName, isSet: boolean): string =>
  `${name} ${isSet ? '' : 'is not set; it '}must be ${variables.shape[name].description}.`

/** The variables that are set, without the space around them. */
const givenOf = (env: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    variableNames.flatMap((name) => {
      const value = typeof env[name] === 'string' ? env[name].trim() : env[name]
      return value === undefined || value === '' ? [] : [[name, value]]
    }),
  )
