/** The forms of variables: how their texts are parsed, and which texts are rejected. */
import * as z from 'zod'
import { canonicalHost, hostOf, isAddressHost, isHostName, isWithin } from './host-name.ts'

export const text = z.string()

/** Accepts the strings that another schema accepts, and returns them unchanged. */
export const textFor = (schema: z.ZodType) => text.refine((value) => schema.safeParse(value).success)

/** A whole number within bounds. */
export const wholeNumber = (from: number, to = Number.MAX_SAFE_INTEGER) =>
  text
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .pipe(z.number().min(from).max(to))
/** `true` or `false`. */
export const flag = z.enum(['true', 'false']).transform((value) => value === 'true')

/** A URL with a host and one of these schemes. It may have credentials only if `credentials` is set. */
export const url = (schemes: readonly string[], { credentials = false } = {}) =>
  text
    .refine((value) => {
      if (!URL.canParse(value)) return false
      const { protocol, hostname, username, password } = new URL(value)
      return (
        schemes.includes(protocol) && hostname !== '' && (credentials || (username === '' && password === ''))
      )
    })
    .transform((value) => new URL(value))

/** The URL of a Postgres database, with a user and a database name. */
export const databaseUrl = url(['postgres:', 'postgresql:'], { credentials: true }).refine(
  ({ username, pathname }) => username !== '' && pathname.length > 1,
)

/** Tells whether a string is the URL of a Postgres database, with a user and a database name. */
export const isDatabaseUrl = (value: string): boolean => databaseUrl.safeParse(value).success

/** A host name. Returns its canonical form. */
export const hostName = text
  .transform((value) => canonicalHost(value) ?? '')
  .refine((host) => isHostName(host) && !isAddressHost(host))

/** A list of texts, separated by commas. */
export const list = text.transform((value) => value.split(',').flatMap((member) => member.trim() || []))

/** Tells whether a string is an origin in the form of browsers. */
export const isOrigin = (value: string) => URL.canParse(value) && new URL(value).origin === value

/** Tells whether an entry of CORS_ORIGINS allows all ports of this machine. */
export const isAnyLocalPort = (value: string) => /^https?:\/\/(localhost|127\.0\.0\.1):\*$/.test(value)

/** Tells whether CORS_ORIGINS allows an origin, by its name or by an entry for all ports of its host. */
export const isListedOrigin = (origins: ReadonlySet<string>, origin: string): boolean =>
  isOrigin(origin) && (origins.has(origin) || origins.has(`${origin.replace(/:\d+$/, '')}:*`))

/** Tells whether a URL points to this machine. */
export function isLocal(address: URL | undefined): boolean {
  const host = address && hostOf(address)
  return host !== undefined && (host === '127.0.0.1' || host === '[::1]' || isWithin(host, 'localhost'))
}

/** Tells whether a string is a URL that points to this machine. */
export const isLocalUrl = (address: string): boolean => URL.canParse(address) && isLocal(new URL(address))
