/**
 * The ETag of a record: 32 hexadecimal digits. Without the key, they reveal only whether the record was
 * written. R12.
 */
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { derivedKeys } from '../../kernel/access/derived-keys.ts'
import type { Config } from '../../kernel/env.ts'
import { tagsOf } from '../../kernel/http/entity-tags.ts'

type Keys = Pick<Config, 'SIGNING_KEYS'>

const digestLength = 24
const maskLength = 8
const form = /^([0-9a-f]{24})([0-9a-f]{8})$/

/**
 * Creates the ETag of a version, which is the `xmin` of a row. `shown` is everything else on which the answer
 * depends. It changes the ETag, but not the version in it.
 */
export function entityTagOf(config: Keys, version: string, shown: readonly unknown[]): string {
  const digest = keyed(config, JSON.stringify([version, ...shown])).slice(0, digestLength)
  return digest + hexOf(Number(version) ^ maskOf(config, digest))
}

/** Returns the versions that If-Match names by their ETags. Null means any: there is no header, or it is `*`. */
export function versionsIn(config: Keys, header: string | undefined): readonly string[] | null {
  const tags = tagsOf(header)
  return tags === null || tags === '*' ? null : tags.flatMap((tag) => versionOf(config, tag) ?? [])
}

/** Returns the version in an ETag; undefined if the text cannot be one. */
function versionOf(config: Keys, tag: string): string | undefined {
  const [, digest, masked] = form.exec(tag) ?? []
  if (digest === undefined || masked === undefined) return undefined
  return String((Number.parseInt(masked, 16) ^ maskOf(config, digest)) >>> 0)
}

/** Returns the mask that encrypts the version. It differs for each digest. */
const maskOf = (config: Keys, digest: string): number =>
  Number.parseInt(keyed(config, `mask ${digest}`).slice(0, maskLength), 16)

const hexOf = (bits: number): string => (bits >>> 0).toString(16).padStart(maskLength, '0')

/** The state of HMAC-SHA-256 after its key, by the key. Workers take ten times as long for node:crypto's. */
const states = new WeakMap<Uint8Array, ReturnType<typeof hmac.create>>()

function keyed(config: Keys, text: string): string {
  const [key] = derivedKeys(config, 'entity tags')
  if (!key) throw new Error('SIGNING_KEYS has no private key')
  const state = states.get(key) ?? hmac.create(sha256, key)
  states.set(key, state)
  return bytesToHex(state.clone().update(utf8ToBytes(text)).digest())
}
