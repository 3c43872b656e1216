/** Parses the bindings and variables of the Worker. docs/operate/configuration.md explains each variable. */
import * as z from 'zod'
import { headerPairs } from './lib/header-pairs.ts'
import { canonicalHost } from './lib/host-name.ts'
import { masterKeyRing, signingKeySet } from './lib/key-rings.ts'
import { slugPattern } from './lib/slug-rule.ts'
import {
  databaseUrl,
  flag,
  hostName,
  isAnyLocalPort,
  isLocal,
  isOrigin,
  list,
  text,
  textFor,
  url,
  wholeNumber,
} from './lib/variable-forms.ts'

/** The bindings of wrangler.toml, and the variables and secrets. */
export interface Env {
  RATE_LIMITER: DurableObjectNamespace
  CACHES: DurableObjectNamespace
  SECRET_CACHES: DurableObjectNamespace
  SITE_KEYS: DurableObjectNamespace
  LIVE_FEEDS: DurableObjectNamespace
  LIVE_LISTS: DurableObjectNamespace
  JOBS: Queue<unknown>
  EVENTS: Queue<unknown>
  ASSETS: Fetcher
  LOADER: WorkerLoader
  /**
   * Runs functions in their own processes, with a watchdog. Only the local stack has it; otherwise LOADER
   * is used.
   */
  FUNCTION_PROCESSES?: Fetcher
  /** The Worker that asks the servers of datasources of the type mongodb (mongodb/wrangler.toml). */
  MONGODB?: Fetcher
  /** Analytics Engine, which gets a row for each request. Optional. */
  ANALYTICS?: AnalyticsEngineDataset
  /** The version of this Worker. */
  VERSION?: WorkerVersionMetadata
  /** Sends e-mail through Cloudflare. Present only with EMAIL_TRANSPORT=cloudflare. */
  EMAIL?: SendEmail
  [variable: string]: unknown
}

/**
 * One row for each variable: its schema, and a description for errors. An empty variable counts as not set.
 */
const variables = z.object({
  DATABASE_URL: textFor(databaseUrl).describe(
    'the URL of a Postgres database such as postgresql://user:password@host/database',
  ),
  SCHEMA_DATABASE_URL: textFor(databaseUrl)
    .optional()
    .describe('the URL of the same database, with the role that changes large tables'),
  READ_DATABASE_URL: textFor(databaseUrl)
    .optional()
    .describe('the URL of a replica of the same database, with the role of the service'),
  NEON_ENDPOINT: textFor(url(['http:', 'https:']))
    .optional()
    .describe('an http or https URL'),
  SIGNING_KEYS: textFor(signingKeySet).describe(
    'a JSON Web Key Set of ES256 keys, each with a kid, of which the first is private ' +
      '(npm run db:migrate -- --new-signing-keys prints one)',
  ),
  MASTER_KEYS: textFor(masterKeyRing)
    .optional()
    .describe(
      '{"current": "<kid>", "keys": {"<kid>": "<32 bytes in base64url>"}} ' +
        '(npm run keys:rotate -- --new-master-key prints it)',
    ),
  SITE_KEY_STORE: z
    .enum(['on', 'off'])
    .default('on')
    .describe(
      'on, or off if the host of PUBLIC_URL is localhost, a subdomain of localhost, 127.0.0.1 or [::1]',
    ),
  ENVIRONMENT: z
    .enum(['production', 'development'])
    .default('production')
    .describe('production or development'),
  REQUEST_LOG: z
    .enum(['all', 'failed'])
    .default('all')
    .describe('all, or failed: statuses from 500 and requests of more than a second'),
  BASE_DOMAIN: hostName
    .optional()
    .describe('a host name such as example.com, without a scheme, a port or a path'),
  PLATFORM_HOSTS: list
    .pipe(z.array(text.transform((value) => canonicalHost(value) ?? '').refine((host) => host !== '')))
    .transform((hosts): ReadonlySet<string> => new Set(hosts))
    .prefault('')
    .describe('host names, separated by commas, without schemes, ports or paths'),
  DOMAIN_PROOF: z
    .enum(['on', 'off'])
    .default('on')
    .describe(
      'on, or off if the host of PUBLIC_URL is localhost, a subdomain of localhost, 127.0.0.1 or [::1]',
    ),
  DEFAULT_SITE: text.regex(slugPattern).optional().describe('the slug of a site'),
  CORS_ORIGINS: list
    .refine((origins) => origins.every((origin) => isOrigin(origin) || isAnyLocalPort(origin)))
    .transform((origins): ReadonlySet<string> => new Set(origins))
    .prefault('')
    .describe(
      'origins such as https://app.example.com, separated by commas; ' +
        'if PUBLIC_URL is local, also http://localhost:* and http://127.0.0.1:*',
    ),
  TOKEN_ISSUER: text.default('tessera').describe('a string'),
  ACCESS_TOKEN_SECONDS: wholeNumber(1).default(900).describe('a whole number of seconds from 1'),
  REFRESH_TOKEN_SECONDS: wholeNumber(1).default(1_209_600).describe('a whole number of seconds from 1'),
  FRESH_SIGN_IN_SECONDS: wholeNumber(1).default(900).describe('a whole number of seconds from 1'),
  TRUSTED_DEVICE_DAYS: wholeNumber(0, 365)
    .default(30)
    .describe('a whole number of days from 0 to 365, where 0 means that browsers cannot be trusted'),
  SESSION_SECONDS: wholeNumber(1).default(1_209_600).describe('a whole number of seconds from 1'),
  RATE_LIMIT_SIGNED_IN: wholeNumber(1).default(600).describe('a whole number from 1'),
  RATE_LIMIT_ANONYMOUS: wholeNumber(1).default(120).describe('a whole number from 1'),
  RATE_LIMIT_PASSWORD: wholeNumber(1).default(10).describe('a whole number from 1'),
  RATE_LIMIT_SCALE: z.coerce.number().positive().default(1).describe('a number above 0'),
  SITE_CONCURRENCY: wholeNumber(1).default(16).describe('a whole number from 1'),
  BUSY_WAIT_MS: wholeNumber(1).default(5_000).describe('a whole number of milliseconds from 1'),
  ACCOUNT_WAIT_SECONDS: wholeNumber(1).default(300).describe('a whole number of seconds from 1'),
  PASSWORD_COST: wholeNumber(4, 17)
    .default(14)
    .describe('a whole number from 14 to 17, or from 4 if ENVIRONMENT is development'),
  QUOTA_ORGANIZATIONS: wholeNumber(1).default(20).describe('a whole number from 1'),
  SITES_MAX: wholeNumber(1).default(450).describe('a whole number from 1'),
  SITES_AHEAD: wholeNumber(0, 100).default(20).describe('a whole number from 0 to 100'),
  QUOTA_SITES: wholeNumber(1).default(50).describe('a whole number from 1'),
  QUOTA_APPS: wholeNumber(1).default(50).describe('a whole number from 1'),
  QUOTA_TABLES: wholeNumber(1).default(200).describe('a whole number from 1'),
  QUOTA_FIELDS: wholeNumber(1, 1000).default(200).describe('a whole number from 1 to 1000'),
  QUOTA_INDEXES: wholeNumber(1, 200).default(64).describe('a whole number from 1 to 200'),
  QUOTA_ARCHIVE_BYTES: wholeNumber(1)
    .default(4 * 1024 * 1024 * 1024)
    .describe('a whole number of bytes from 1'),
  GRAPH_DEPTH_MAX: wholeNumber(1, 100).default(10).describe('a whole number from 1 to 100'),
  ALLOW_PRIVATE_HOSTS: flag.default(false).describe('true or false'),
  DNS_OVER_HTTPS: textFor(url(['http:', 'https:']))
    .default('https://cloudflare-dns.com/dns-query')
    .describe('the URL of a resolver such as https://cloudflare-dns.com/dns-query'),
  QUEUE_PATIENCE_MS: wholeNumber(1).optional().describe('a whole number of milliseconds from 1'),
  PUBLIC_URL: url(['http:', 'https:'])
    .optional()
    .describe('an http or https URL such as https://app.example.com'),
  EMAIL_TRANSPORT: z
    .enum(['cloudflare', 'smtp', 'mailbox'])
    .optional()
    .describe('cloudflare, smtp or mailbox'),
  EMAIL_FROM: z.email().optional().describe('an e-mail address'),
  EMAILS_CAUSED_PER_DAY: wholeNumber(1).default(200).describe('a whole number from 1'),
  SMTP_URL: url(['smtps:'], { credentials: true })
    .optional()
    .describe('a URL such as smtps://user:password@mail.example.com:465'),
  INVITATION_MAX_AGE_DAYS: wholeNumber(1).optional().describe('a whole number of days from 1'),
  INVITATION_EXISTING_ACCOUNTS: z
    .enum(['guarded', 'specification', 'verify'])
    .default('guarded')
    .describe('guarded, specification or verify'),
  TRANSFER_BYTES_MAX: wholeNumber(1)
    .default(1024 * 1024 * 1024)
    .describe('a whole number of bytes from 1'),
  TRASH_DAYS: wholeNumber(1, 3650).default(7).describe('a whole number of days from 1 to 3650'),
  INVOCATION_DAYS: wholeNumber(1, 3650).default(90).describe('a whole number of days from 1 to 3650'),
  INVOCATION_LOG_DAYS: wholeNumber(1, 3650).default(30).describe('a whole number of days from 1 to 3650'),
  USE_FLUSH_SECONDS: wholeNumber(0, 20).default(5).describe('a whole number of seconds from 0 to 20'),
  OTLP_ENDPOINT: textFor(url(['http:', 'https:']))
    .optional()
    .describe('the http or https URL of an OpenTelemetry receiver such as https://otlp.example.com'),
  OTLP_HEADERS: headerPairs.optional().describe('request headers as name=value, separated by commas'),
  SLOW_READ_MS: wholeNumber(0).default(250).describe('a whole number of milliseconds from 0'),
  TOTAL_EXACT: wholeNumber(0).default(100_000).describe('a whole number from 0'),
  LIVE_INTERVAL_MS: wholeNumber(0).default(250).describe('a whole number of milliseconds from 0'),
  LIVE_REFRESH_S: wholeNumber(1).default(30).describe('a whole number of seconds from 1'),
  TRACE_SAMPLING: z.coerce.number().min(0).max(1).default(0.05).describe('a number from 0 to 1'),
  AUDIT_DAYS: wholeNumber(1).default(400).describe('a whole number of days from 1'),
  CHANGE_WAIT_MS: wholeNumber(0).default(10_000).describe('a whole number of milliseconds from 0'),
  LARGE_TABLE_BYTES: wholeNumber(0)
    .default(16 * 1024 * 1024)
    .describe('a whole number of bytes from 0'),
})

const ruleInputs = variables.pick({
  SITE_KEY_STORE: true,
  DOMAIN_PROOF: true,
  PUBLIC_URL: true,
  CORS_ORIGINS: true,
  PASSWORD_COST: true,
  ENVIRONMENT: true,
})

/** Rules between variables. `name` is the variable to report. */
const rules: readonly [name: VariableName, isMet: (config: z.infer<typeof ruleInputs>) => boolean][] = [
  ['PASSWORD_COST', ({ PASSWORD_COST, ENVIRONMENT }) => PASSWORD_COST >= 14 || ENVIRONMENT === 'development'],
  ['SITE_KEY_STORE', ({ SITE_KEY_STORE, PUBLIC_URL }) => SITE_KEY_STORE === 'on' || isLocal(PUBLIC_URL)],
  ['DOMAIN_PROOF', ({ DOMAIN_PROOF, PUBLIC_URL }) => DOMAIN_PROOF === 'on' || isLocal(PUBLIC_URL)],
  [
    'CORS_ORIGINS',
    ({ CORS_ORIGINS, PUBLIC_URL }) => isLocal(PUBLIC_URL) || ![...CORS_ORIGINS].some(isAnyLocalPort),
  ],
]

/** Returns the variables that break a rule. Returns none if a variable of the rules is malformed itself. */
function brokenRules(values: Values): VariableName[] {
  const { data } = ruleInputs.safeParse(values)
  return data ? rules.filter(([, isMet]) => !isMet(data)).map(([name]) => name) : []
}

type Variables = z.infer<typeof variables>
/** The parsed variables, and the binding for the keys of sites. */
export type Config = Variables & Partial<Pick<Env, 'SITE_KEYS'>>
export type VariableName = keyof Variables
export const variableNames = Object.keys(variables.shape) as readonly VariableName[]

/**
 * Variables are missing or malformed. The message names each one and its allowed values, but not its value.
 */
export class InvalidConfiguration extends Error {
  /** One sentence for each variable. */
  readonly lines: readonly string[]

  constructor(lines: readonly string[]) {
    super(lines.join(' '))
    this.name = 'InvalidConfiguration'
    this.lines = lines
  }
}

/** Variables before they are parsed. */
type Values = Readonly<Record<string, unknown>>

const parsed = new WeakMap<Env, Config | InvalidConfiguration>()

/** Returns the parsed variables. Parses each `env` once. Throws InvalidConfiguration. */
export function configOf(env: Env): Config {
  const result = parsed.get(env) ?? withBinding(env, parse(env))
  parsed.set(env, result)
  if (result instanceof InvalidConfiguration) throw result
  return result
}

const withBinding = (
  { SITE_KEYS }: Env,
  result: Variables | InvalidConfiguration,
): Config | InvalidConfiguration =>
  result instanceof InvalidConfiguration ? result : { ...result, SITE_KEYS }

function parse(env: Values): Variables | InvalidConfiguration {
  const values = setVariables(env)
  const result = variables.safeParse(values)
  const invalid = new Set([
    ...(result.error?.issues ?? []).map(({ path }) => path[0] as VariableName),
    ...brokenRules(values),
  ])
  if (result.success && invalid.size === 0) return result.data
  return new InvalidConfiguration([...invalid].map((name) => describeVariable(name, name in values)))
}

/**
 * Throws InvalidConfiguration if one of these variables is missing or malformed. For commands that need only
 * a few.
 */
export function requireVariables(env: Values, names: readonly VariableName[]): void {
  const values = setVariables(env)
  const broken = brokenRules(values)
  const invalid = names.filter(
    (name) => !variables.shape[name].safeParse(values[name]).success || broken.includes(name),
  )
  if (invalid.length > 0)
    throw new InvalidConfiguration(invalid.map((name) => describeVariable(name, name in values)))
}

/** Returns the sentence that tells the operator the allowed values of a missing or malformed variable. */
export const describeVariable = (name: VariableName, isSet: boolean): string =>
  `${name} ${isSet ? '' : 'is not set; it '}must be ${variables.shape[name].description}.`

/** Returns the variables that are set, trimmed. */
const setVariables = (env: Values): Record<string, unknown> =>
  Object.fromEntries(
    variableNames.flatMap((name) => {
      const value = typeof env[name] === 'string' ? env[name].trim() : env[name]
      return value === undefined || value === '' ? [] : [[name, value]]
    }),
  )
