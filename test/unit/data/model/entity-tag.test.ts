/** ETags beside another implementation of their digest. R12. */
import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { newSigningKeys } from '../../../../dev/signing-keys.ts'
import { entityTagOf, versionsIn } from '../../../../src/data/model/entity-tag.ts'
import { derivedKeys } from '../../../../src/kernel/access/derived-keys.ts'

it('an ETag is a keyed digest of the version and what is shown, and the masked version', async () => {
  const config = { SIGNING_KEYS: await newSigningKeys() }
  const [key] = derivedKeys(config, 'entity tags')
  const keyed = (text: string) =>
    createHmac('sha256', key as Uint8Array)
      .update(text)
      .digest('hex')
  for (let length = 0; length < 200; length++) {
    const [version, shown] = [String(length * 7_919), ['ü'.repeat(length)]]
    const digest = keyed(JSON.stringify([version, ...shown])).slice(0, 24)
    const mask = Number.parseInt(keyed(`mask ${digest}`).slice(0, 8), 16)
    const masked = ((Number(version) ^ mask) >>> 0).toString(16).padStart(8, '0')
    const tag = entityTagOf(config, version, shown)
    expect([tag, versionsIn(config, `"${tag}"`)]).toEqual([digest + masked, [version]])
  }
})
