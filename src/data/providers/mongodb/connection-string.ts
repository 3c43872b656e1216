/**
 * Checks connection strings of MongoDB. Only the options below are taken: no proxy, no files, no relaxed
 * TLS, no credentials of a cloud. S8.
 */
import { isAddress, isPublicAddress } from '../../../kernel/lib/public-address.ts'

/** The options that a connection string may have, in lower case. */
const optionsTaken: ReadonlySet<string> = new Set([
  'authmechanism',
  'authsource',
  'directconnection',
  'loadbalanced',
  'replicaset',
  'retrywrites',
  'retryreads',
  'ssl',
  'tls',
  'w',
  'srvmaxhosts',
  'srvservicename',
  'appname',
])

/** The ways to prove a user's identity that need no file and no server of a cloud. */
const mechanisms: ReadonlySet<string> = new Set(['DEFAULT', 'SCRAM-SHA-1', 'SCRAM-SHA-256', 'PLAIN'])

const form = new RegExp(
  String.raw`^(?<scheme>mongodb|mongodb\+srv)://(?:(?<user>[^@/?]*)@)?(?<hosts>[^/?@]+)` +
    String.raw`(?:/(?<database>[^?]*))?(?:\?(?<query>.*))?$`,
)

const hostOf = (text: string): string =>
  text
    .replace(/:\d+$/, '')
    .replace(/^\[(.*)\]$/, '$1')
    .toLowerCase()

const isPrivateHost = (host: string): boolean =>
  isAddress(host) ? !isPublicAddress(host) : !host.includes('.') || host.endsWith('.localhost')

/** A connection string that may be used, and its hosts; those of `mongodb+srv` are looked up later. */
interface Checked {
  url: string
  hosts: readonly string[]
}

/**
 * Checks a connection string, and makes TLS its default. The problem never has a part of it but an
 * option.
 */
export function checkConnectionString(text: string, allowsPrivate: boolean): Checked | { problem: string } {
  const parts = form.exec(text.trim())?.groups
  if (!parts?.scheme || !parts.hosts)
    return { problem: 'The secret is not a connection string: mongodb://… or mongodb+srv://…' }
  const { scheme, user, hosts: hostList, database = '', query = '' } = parts
  const isSrv = scheme === 'mongodb+srv'
  const hosts = hostList.split(',').map(hostOf)
  const options = new URLSearchParams(query)
  for (const [name, value] of options) {
    if (!optionsTaken.has(name.toLowerCase()))
      return { problem: `The connection string has an option that is not taken: ${JSON.stringify(name)}.` }
    if (name.toLowerCase() === 'authmechanism' && !mechanisms.has(value))
      return { problem: `authMechanism must be one of ${[...mechanisms].join(', ')}.` }
  }
  if (!allowsPrivate && hosts.some(isPrivateHost))
    return { problem: 'A host of the connection string is not a public one.' }
  const tls = [...options].find(([name]) => /^(tls|ssl)$/i.test(name))?.[1]
  const needsTls = !isSrv && !hosts.every(isPrivateHost)
  if ((needsTls || isSrv) && tls === 'false') return { problem: 'A public server needs TLS: omit tls=false.' }
  if (needsTls && tls === undefined) options.set('tls', 'true')
  const credentials = user === undefined ? '' : `${user}@`
  const rest = String(options)
  return {
    url: `${scheme}://${credentials}${hostList}/${database}${rest && `?${rest}`}`,
    hosts: isSrv ? [] : hosts,
  }
}
