/** Names in e-mails: every e-mail × hostile names. The e-mails come from the list of their texts. */
import { describe, expect, it } from 'vitest'
import { renderEmail } from '../../../../src/identity/mail/email.ts'
import { LetterName } from '../../../../src/identity/mail/letter-name.ts'
import { de } from '../../../../src/identity/mail/letters/de.ts'
import { en, type Letters } from '../../../../src/identity/mail/letters/en.ts'

/** Names in which a mail program, or its reader, finds a link or an address. */
const links = [
  'evil.example/x',
  'evil.example',
  'Acme evil.example now',
  'EVIL.EXAMPLE',
  'www.evil.example',
  'www',
  'https://evil.example/x',
  'http://evil',
  'hxxp://evil',
  'hxxps evil',
  'mailto:somebody',
  'tel:0301234567',
  '//evil/share',
  '\\\\evil\\share',
  'a@b.c',
  'a @ b',
  'somebody＠evil.example',
  'evil。example',
  'evil｡example',
  'evil．example',
  'evil․example',
  'evil﹒example',
  'evil۔example',
  'ｅｖｉｌ．ｅｘａｍｐｌｅ',
  'ⓔⓥⓘⓛ.ⓔⓧⓐⓜⓟⓛⓔ',
  'evil\u200b.example',
  'evil.\u00adexample',
  'evil\u2060.\ufeffexample',
  'evil.\u202eelpmaxe',
  'evil.\u0000example',
  'bücher.example',
  'evil.xn--p1ai',
  'пример.рф',
  '💩.la',
  'evil[.]example',
  'evil (dot) example',
  '192.0.2.1',
  'evil.c/x',
  'Call +49 30 1234567',
  'Call (555) 010-9999',
  '\u200b\u3164',
  '',
]

/** Names that stay as they are. */
const plain = [
  'Acme GmbH & Co. KG',
  'Verein e.V.',
  'J.R.R. Tolkien',
  'AC/DC',
  'Smith, Jones & Sons: Law',
  'Wait... what',
  'Ärzte ohne Grenzen',
  '株式会社マイク・ジョーンズ',
  'شركة',
  'Team 2026',
  'Version 2.0',
  'Help Desk',
  'O’Neill',
  'Shop 💩',
]

describe('a name in an e-mail to somebody who is no member', () => {
  it.each(links)('%j is replaced, because a mail program would find a link in it', (name) => {
    expect(`${LetterName.forAnybody(name, 'acme')}`).toBe('acme')
  })

  it.each(plain)('%j stays', (name) => {
    expect(`${LetterName.forAnybody(name, 'acme')}`).toBe(name)
  })

  it('is one line of at most 60 characters, without characters that nobody sees', () => {
    const shown = `${LetterName.forAnybody(' a\r\nb\u2028c\td\u202ee\u2066f\u200bg\u0007h ', 'acme')}`
    expect(shown).toBe('a b c defgh')
    expect([...`${LetterName.forAnybody('💩'.repeat(100), 'acme')}`]).toHaveLength(60)
    expect(`${LetterName.forAnybody('x'.repeat(1000), 'acme')}`).toBe(`${'x'.repeat(59)}…`)
  })
})

describe('a name in an e-mail to a member', () => {
  it('is one line, and may have a link', () => {
    expect(`${LetterName.forMember('Acme\n\u202eevil.example')}`).toBe('Acme evil.example')
  })
})

type Write = (details: Details) => object | string

/** The details of all e-mails, with one name in the place of each name. */
const detailsWith = (name: LetterName) => ({
  ...{ username: name, organization: name, inviter: name, site: name },
  ...{ url: 'https://service.test/link', slug: 'acme', code: '12345678' },
  ...({ measure: 'emails', month: '2026-11', soft: 11, used: 22, hard: 33 } as const),
})
type Details = ReturnType<typeof detailsWith>

/** Returns the functions that write e-mails, by their places in the texts of a language. */
const writersIn = (texts: object, place: string): [place: string, write: Write][] =>
  Object.entries(texts).flatMap(([name, text]) => {
    if (typeof text === 'function') return [[`${place} ${name}`, text]]
    return typeof text === 'object' ? writersIn(text, `${place} ${name}`) : []
  })

const languages: readonly Letters[] = [en, de]
const writers = languages.flatMap((letters) => writersIn(letters, letters.language))

describe('every e-mail', () => {
  it('is in the table', () => {
    const kinds = Object.keys(en.accounts).length + Object.keys(en.invitations).length + 4
    expect(writers).toHaveLength(2 * kinds)
  })

  it.each(writers)('%s shows no hostile name to somebody who is no member', (_, write) => {
    const rendered = (name: LetterName) => {
      const written = write(detailsWith(name))
      const content = typeof written === 'string' ? { footer: written } : written
      const frame = { subject: '', paragraphs: [], footer: '', language: 'en', site: name }
      return renderEmail('a@b.test', { ...frame, ...content })
    }
    const expected = rendered(LetterName.forMember('acme'))
    expect(JSON.stringify(expected)).not.toMatch(/undefined|\[object/)
    for (const hostile of links) expect(rendered(LetterName.forAnybody(hostile, 'acme'))).toEqual(expected)
    expect(rendered(LetterName.forMember('<b>\r\nBcc: x')).html).not.toContain('<b>')
    expect(rendered(LetterName.forMember('x\r\nBcc: x')).text).not.toContain('\nBcc')
  })
})
