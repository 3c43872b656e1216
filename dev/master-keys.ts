/** MASTER_KEYS: the ring of keys that encrypt data keys. The current one encrypts, all of them decrypt. */
import { randomBytes } from 'node:crypto'

interface Ring {
  current: string
  keys: Record<string, string>
}

/** Returns a ring with a new current key in front of the keys of another ring. */
export function newMasterKeys(others?: string): string {
  const { keys } = others ? (JSON.parse(others) as Ring) : { keys: {} }
  const current = `${new Date().toISOString().slice(0, 10)}-${randomBytes(3).toString('hex')}`
  const ring: Ring = { current, keys: { [current]: randomBytes(32).toString('base64url'), ...keys } }
  return JSON.stringify(ring)
}
