/** Passwords: scrypt, its parameters in the hash, so that they can be raised. A5. */
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'

/** About a tenth of a second and 16 MB. A profile of the OWASP cheat sheet; PBKDF2 is capped too low on Workers. */
const current = { logN: 14, r: 8, p: 5 }
const hashBytes = 32

/** What a stored hash may cost at most, so that a crafted one cannot occupy an isolate. */
const ceiling = { logN: 17, r: 16, p: 16 }

type Parameters = typeof current

function derive(password: string, salt: Uint8Array, { logN, r, p }: Parameters): Promise<Buffer> {
  return new Promise((done, failed) => {
    const options = { N: 2 ** logN, r, p, maxmem: 256 * 2 ** logN * r }
    scrypt(password.normalize('NFKC'), salt, hashBytes, options, (error, key) => (error ? failed(error) : done(key)))
  })
}

/** The hash as a PHC string: `$scrypt$ln=14,r=8,p=5$<salt>$<hash>`. */
export async function hashPassword(password: string, parameters: Parameters = current): Promise<string> {
  const salt = randomBytes(16)
  const hash = await derive(password, salt, parameters)
  return `$scrypt$ln=${parameters.logN},r=${parameters.r},p=${parameters.p}$${salt.toString('base64url')}$${hash.toString('base64url')}`
}

const phc = /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([\w-]+)\$([\w-]+)$/

/** Whether a password is the one that was hashed. Without a hash (no such account, no password) it is not, at the same cost. */
export async function verifyPassword(password: string, stored: string | null | undefined): Promise<boolean> {
  const match = phc.exec(stored ?? '')
  if (!match) {
    await derive(password, new Uint8Array(16), current)
    return false
  }
  const parameters = parametersOf(match)
  if (parameters.logN > ceiling.logN || parameters.r > ceiling.r || parameters.p > ceiling.p) return false
  const expected = Buffer.from(match[5] as string, 'base64url')
  const actual = await derive(password, Buffer.from(match[4] as string, 'base64url'), parameters)
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}

const parametersOf = (match: RegExpExecArray): Parameters => ({ logN: Number(match[1]), r: Number(match[2]), p: Number(match[3]) })

/** Whether a password was hashed with less work than is asked today: who shows it gets it hashed anew. */
export function isOutdated(stored: string): boolean {
  const match = phc.exec(stored)
  const work = ({ logN, r, p }: Parameters) => 2 ** logN * r * p
  return match !== null && work(parametersOf(match)) < work(current)
}
