/** Bindings and variables of the Worker, parsed once. README, "Configuration", says what each is for. */
import { z } from 'zod'

/** What wrangler.toml and the secrets give the Worker. */
export interface Env {
  RATE_LIMITER: DurableObjectNamespace
  CACHES: DurableObjectNamespace
  SECRET_CACHES: DurableObjectNamespace
  JOBS: Queue<unknown>
  EVENTS: Queue<unknown>
  ASSETS: Fetcher
  LOADER: WorkerLoader
  /** Where Cloudflare sends letters: with EMAIL_TRANSPORT=cloudflare alone. */
  EMAIL?: SendEmail
  [variable: string]: unknown
}

const wholeNumber = (from: number) => z.string().regex(/^\d+$/).transform(Number).pipe(z.number().min(from))
const optionalText = z
  .string()
  .optional()
  .transform((value) => value?.trim() || undefined)

/** A variable that is there and empty is not set. */
const optional = <Schema extends z.ZodType>(schema: Schema) => z.preprocess((value) => (value === '' ? undefined : value), schema.optional())
const asUrl = (text: string) => new URL(text)

/** Origins as browsers send them, separated by commas. */
const origins = z
  .string()
  .default('')
  .transform((text) => text.split(',').flatMap((origin) => origin.trim() || []))
  .refine((list) => list.every((origin) => URL.canParse(origin) && new URL(origin).origin === origin), 'not a list of origins')
  .transform((list): ReadonlySet<string> => new Set(list))

const variables = z.object({
  DATABASE_URL: z.string().min(1),
  NEON_ENDPOINT: optionalText,
  SIGNING_KEYS: z.string().min(1),
  MASTER_KEYS: optionalText,
  ENVIRONMENT: z.enum(['production', 'development']).default('production'),
  BASE_DOMAIN: optionalText,
  DEFAULT_SITE: optionalText,
  CORS_ORIGINS: origins,
  TOKEN_ISSUER: z.string().min(1).default('tessera'),
  ACCESS_TOKEN_SECONDS: wholeNumber(1).default(900),
  REFRESH_TOKEN_SECONDS: wholeNumber(1).default(1_209_600),
  SESSION_SECONDS: wholeNumber(1).default(1_209_600),
  RATE_LIMIT_SIGNED_IN: wholeNumber(1).default(600),
  RATE_LIMIT_ANONYMOUS: wholeNumber(1).default(120),
  RATE_LIMIT_PASSWORD: wholeNumber(1).default(10),
  RATE_LIMIT_SCALE: z.coerce.number().positive().default(1),
  SITE_CONCURRENCY: wholeNumber(1).default(16),
  BUSY_WAIT_MS: wholeNumber(1).default(5_000),
  QUOTA_ORGANIZATIONS: wholeNumber(1).default(20),
  QUOTA_SITES: wholeNumber(1).default(50),
  QUOTA_APPS: wholeNumber(1).default(50),
  QUOTA_TABLES: wholeNumber(1).default(200),
  QUOTA_FIELDS: wholeNumber(1).pipe(z.number().max(1000)).default(200),
  QUOTA_INDEXES: wholeNumber(1).pipe(z.number().max(200)).default(64),
  GRAPH_DEPTH_MAX: wholeNumber(1).pipe(z.number().max(100)).default(10),
  ALLOW_PRIVATE_HOSTS: z
    .enum(['true', 'false'])
    .default('false')
    .transform((value) => value === 'true'),
  DNS_OVER_HTTPS: z.url().default('https://cloudflare-dns.com/dns-query'),
  QUEUE_PATIENCE_MS: wholeNumber(1).optional(),
  PUBLIC_URL: optional(z.url({ protocol: /^https?$/ }).transform(asUrl)),
  EMAIL_TRANSPORT: optional(z.enum(['cloudflare', 'smtp', 'mailbox'])),
  EMAIL_FROM: optional(z.email()),
  SMTP_URL: optional(z.url({ protocol: /^smtps$/ }).transform(asUrl)),
  INVITATION_MAX_AGE_DAYS: optional(wholeNumber(1)),
  INVITATION_EXISTING_ACCOUNTS: z.enum(['specification', 'verify']).default('specification'),
  LARGE_TABLE_BYTES: wholeNumber(0).default(16 * 1024 * 1024),
})

export type Config = z.infer<typeof variables>

const parsed = new WeakMap<Env, Config>()

/** Throws, naming the variables at fault (never their values), when the Worker is configured wrongly. */
export function configOf(env: Env): Config {
  let config = parsed.get(env)
  if (!config) {
    const result = variables.safeParse(env)
    if (!result.success) throw new Error(`wrong configuration: ${[...new Set(result.error.issues.map((issue) => issue.path.join('.')))].join(', ')}`)
    config = result.data
    parsed.set(env, config)
  }
  return config
}
