/** The texts of e-mails: both languages say the same. */
import { describe, expect, it } from 'vitest'
import { LetterName } from '../../../../src/identity/mail/letter-name.ts'
import { de } from '../../../../src/identity/mail/letters/de.ts'
import { en, type Letters } from '../../../../src/identity/mail/letters/en.ts'
import { lettersFor } from '../../../../src/identity/mail/letters/letters.ts'
import { languageOf } from '../../../../src/kernel/lib/languages.ts'

const url = 'https://shop.example/link'
const name = LetterName.forMember
const account = { username: name('the name'), url }
const organization = name('the organization')
const invitation = { organization, inviter: name('the inviter'), url }
const limit = {
  site: name('Site Nine'),
  organization,
  measure: 'emails',
  month: '2026-11',
  soft: 11,
  used: 22,
  hard: 33,
  url,
} as const

/** Returns all e-mails of a language, by name. */
const allOf = (letters: Letters): Record<string, object> => ({
  ...Object.fromEntries(Object.entries(letters.accounts).map(([kind, write]) => [kind, write(account)])),
  toNewUser: letters.invitations.toNewUser(invitation),
  byNobody: letters.invitations.toNewUser({ ...invitation, inviter: name('') }),
  toExistingUser: letters.invitations.toExistingUser(invitation),
  passwordReplaced: letters.invitations.passwordReplaced({ organization }),
  signInCode: letters.signInCode({ code: '12345678', organization, site: name('Site Nine') }),
  softLimit: letters.softLimitReached(limit),
  softLimitOnly: letters.softLimitReached({ ...limit, measure: 'bytes', hard: null }),
  sentBy: { text: letters.sentBy({ organization, slug: 'the-slug' }) },
})

/** Returns the members of an e-mail, and the details that it names. */
const outlineOf = (letter: object) => {
  const text = JSON.stringify(letter)
  const details = [
    'the name',
    'the organization',
    'the inviter',
    'Site Nine',
    'the-slug',
    url,
    '12345678',
    '11',
    '22',
    '33',
  ]
  return {
    members: Object.keys(letter).sort(),
    named: details.filter((detail) => text.includes(detail)),
  }
}

const outlines = (letters: Letters) =>
  Object.fromEntries(Object.entries(allOf(letters)).map(([name, letter]) => [name, outlineOf(letter)]))

describe('the German e-mails', () => {
  it('name the same details as the English ones', () => {
    expect(outlines(de)).toEqual(outlines(en))
  })

  it('share no subject, paragraph, label or footer with the English ones', () => {
    const texts = (letter: object) => JSON.stringify(Object.values(letter)).match(/"[^"]{12,}"/g) ?? []
    const own = allOf(de)
    for (const [name, letter] of Object.entries(allOf(en))) {
      const german = new Set(texts(own[name] as object))
      expect([name, texts(letter).filter((each) => german.has(each) && !each.includes(url))]).toEqual([
        name,
        [],
      ])
    }
  })
})

describe('the language of an e-mail', () => {
  it.each([
    ['de', null, 'de'],
    ['de-AT', 'en', 'de'],
    ['en-GB', 'de', 'en'],
    ['fr', 'de', 'de'],
    ['fr', null, 'en'],
    [null, 'de', 'de'],
    [null, null, 'en'],
    [undefined, undefined, 'en'],
  ] as const)('to a reader who prefers %s, for a request in %s, is %s', (preferred, asked, language) => {
    expect(lettersFor(preferred, asked).language).toBe(language)
  })

  it.each([
    [null, null],
    ['', null],
    ['fr, nl;q=0.5', null],
    ['*', null],
    ['de;q=0', null],
    ['en;q=0.2, de;q=0.9', 'de'],
    [`${'x,'.repeat(600)}de`, null],
  ])('for the header %j is %j', (header, language) => {
    expect(languageOf(header)).toBe(language)
  })
})
