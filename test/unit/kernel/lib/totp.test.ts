/** One-time passwords for authenticator apps. RFC 6238, RFC 4648. */
import { describe, expect, it } from 'vitest'
import { base32, codeAt, matchingStep, stepAt, totpUri } from '../../../../src/kernel/lib/totp.ts'

const secret = Buffer.from('12345678901234567890')
const at = (seconds: number) => new Date(seconds * 1000)

describe('a one-time password', () => {
  it.each([
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ])('at %i equals the one in appendix B of RFC 6238: %s', (seconds, code) => {
    expect(codeAt(secret, stepAt(at(seconds)), 8)).toBe(code)
  })

  it('is accepted one step early or late, but not two steps and not in another spelling', () => {
    const now = at(1_234_567_890)
    const step = stepAt(now)
    const steps = [-2, -1, 0, 1, 2].map((off) => matchingStep(secret, codeAt(secret, step + off), now))
    expect(steps).toEqual([undefined, step - 1, step, step + 1, undefined])
    const code = codeAt(secret, step)
    for (const other of ['', ` ${code}`, `${code}0`, code.slice(1), '००००००'])
      expect(matchingStep(secret, other, now)).toBeUndefined()
  })
})

describe('Base32', () => {
  it.each([
    ['', ''],
    ['f', 'MY'],
    ['fo', 'MZXQ'],
    ['foo', 'MZXW6'],
    ['foob', 'MZXW6YQ'],
    ['fooba', 'MZXW6YTB'],
    ['foobar', 'MZXW6YTBOI'],
  ])('of "%s" equals the example of RFC 4648: %s', (text, encoded) => {
    expect(base32(Buffer.from(text))).toBe(encoded)
  })
})

describe('the otpauth address for an authenticator app', () => {
  it('escapes names, so that they cannot add parameters', () => {
    expect(totpUri({ secret: 'MZXW6', account: 'a&secret=X/?#@b', issuer: 'Shop & Co: x' })).toBe(
      'otpauth://totp/Shop%20%26%20Co%3A%20x:a%26secret%3DX%2F%3F%23%40b?secret=MZXW6&issuer=Shop+%26+Co%3A+x',
    )
  })
})
