/** Hashes passwords with scrypt. A hash contains its parameters, so that they can be raised. A5. */
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'

/** The default of PASSWORD_COST. A profile of the OWASP cheat sheet: 0.1 s and 16 MB. */
export const defaultCost = 14
/** Not PBKDF2: Workers allow it too few iterations. */
const parametersFor = (cost: number) => ({ logN: cost, r: 8, p: 5 })
const hashBytes = 32

/** The maximal parameters of a stored hash, so that a crafted hash cannot block an isolate. */
const maximum = { logN: 17, r: 16, p: 16 }

type Parameters = ReturnType<typeof parametersFor>

function derive(password: string, salt: Uint8Array, { logN, r, p }: Parameters): Promise<Buffer> {
  return new Promise((done, failed) => {
    const options = { N: 2 ** logN, r, p, maxmem: 256 * 2 ** logN * r }
    scrypt(password.normalize('NFKC'), salt, hashBytes, options, (error, key) =>
      error ? failed(error) : done(key),
    )
  })
}

/** Returns the hash as a PHC string: `$scrypt$ln=14,r=8,p=5$<salt>$<hash>`. */
export async function hashPassword(password: string, cost = defaultCost): Promise<string> {
  const salt = randomBytes(16)
  const { logN, r, p } = parametersFor(cost)
  const hash = await derive(password, salt, { logN, r, p })
  return `$scrypt$ln=${logN},r=${r},p=${p}$${salt.toString('base64url')}$${hash.toString('base64url')}`
}

const phc = /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([\w-]+)\$([\w-]+)$/

/**
 * Tells whether a password matches a hash. Returns false if the hash is missing or malformed, after the same
 * amount of work.
 */
export async function verifyPassword(
  password: string,
  stored: string | null | undefined,
  cost = defaultCost,
): Promise<boolean> {
  const match = phc.exec(stored ?? '')
  if (!match) {
    await derive(password, new Uint8Array(16), parametersFor(cost))
    return false
  }
  const parameters = parametersOf(match)
  if (parameters.logN > maximum.logN || parameters.r > maximum.r || parameters.p > maximum.p) return false
  const expected = Buffer.from(match[5] as string, 'base64url')
  const actual = await derive(password, Buffer.from(match[4] as string, 'base64url'), parameters)
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}

const parametersOf = (match: RegExpExecArray): Parameters => ({
  logN: Number(match[1]),
  r: Number(match[2]),
  p: Number(match[3]),
})

/** Tells whether a hash was computed with less work than a cost requires. */
export function isOutdated(stored: string, cost: number): boolean {
  const match = phc.exec(stored)
  const work = ({ logN, r, p }: Parameters) => 2 ** logN * r * p
  return match !== null && work(parametersOf(match)) < work(parametersFor(cost))
}
