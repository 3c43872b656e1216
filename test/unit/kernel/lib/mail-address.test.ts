/** E-mail addresses at international domains. T12. */
import { describe, expect, it } from 'vitest'
import { email, username } from '../../../../src/identity/users/schema.ts'
import { storedAddress } from '../../../../src/kernel/lib/mail-address.ts'

describe('an e-mail address', () => {
  it.each([
    ['x@bücher.example', 'x@xn--bcher-kva.example'],
    ['X@BÜCHER.Example', 'X@xn--bcher-kva.example'],
    ['x@bu\u0308cher.example', 'x@xn--bcher-kva.example'],
    ['x@bücher。example', 'x@xn--bcher-kva.example'],
    ['x@straße.example', 'x@xn--strae-oqa.example'],
    ['x@пример.рф', 'x@xn--e1afmkfd.xn--p1ai'],
    ['x@xn--bcher-kva.example', 'x@xn--bcher-kva.example'],
    ['x@Plain.Example', 'x@Plain.Example'],
  ])('%j is stored as %j', (written, stored) => {
    expect(email.parse(written)).toBe(stored)
    expect(username.parse(written)).toBe(stored)
  })

  it.each([
    'ü@bücher.example',
    'x@bücher',
    'x@bücher.example/path',
    'x@bücher.example:25',
    'x@-bücher-.example/',
    'x@bü cher.example',
    'x@bü\u202echer.example',
    'x@y@bücher.example',
  ])('%j is refused', (written) => {
    expect(email.safeParse(written).success).toBe(false)
  })

  it('is any other text as it is', () => {
    expect(['bücher', 'ada', '@'].map(storedAddress)).toEqual(['bücher', 'ada', '@'])
  })
})
