/** Converts e-mail addresses to the form in which they are stored. T12. */
import { canonicalHost, isHostName } from './host-name.ts'

/** Domains that have another form: those with letters beyond ASCII, and those that are Punycode already. */
const international = /[^\0-\x7f]|xn--/i

/**
 * Returns an address with its domain in Punycode, as mail servers know it. Without its domain if the domain
 * is not valid, so that no rule takes it for an address. Returns any other text unchanged.
 */
export function storedAddress(text: string): string {
  const at = text.lastIndexOf('@')
  const domain = text.slice(at + 1)
  if (at < 0 || !international.test(domain)) return text
  const host = canonicalHost(domain)
  return host !== undefined && isHostName(host) ? `${text.slice(0, at)}@${host}` : text.slice(0, at + 1)
}
