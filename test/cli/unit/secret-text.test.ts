/** Secrets from the standard input. */
import { describe, expect, it } from 'vitest'
import { secretText } from '../../../cli/src/terminal/ask.ts'

const read = (text: string) => secretText(new TextEncoder().encode(text))

describe('a secret from the standard input', () => {
  it('is refused if it is not UTF-8, instead of being changed', () => {
    expect(() => secretText(Uint8Array.of(0x61, 0xff, 0x0a))).toThrow(
      'The standard input is not text in UTF-8.',
    )
  })

  it.each<[what: string, given: string, expected: string]>([
    ['one line', 'hunter2', 'hunter2'],
    ['one line with its line break', 'hunter2\n', 'hunter2'],
    ['one line with a line break of Windows', 'hunter2\r\n', 'hunter2'],
    ['one line that ends with blanks', ' hunter2 \t\n', ' hunter2 \t'],
    ['one line with a byte order mark', '\ufeffhunter2\n', '\ufeffhunter2'],
    ['an empty line', '\n', ''],
  ])('loses the line break after a single line: %s', (_, given, expected) => {
    expect(read(given)).toBe(expected)
  })

  it.each([
    '-----BEGIN PRIVATE KEY-----\nMC4CAQ\n-----END PRIVATE KEY-----\n',
    'a\r\nb\r\n',
    'a\n\n',
    '\na',
    'a\nb',
  ])('of several lines stays as it is: %j', (given) => {
    expect(read(given)).toBe(given)
  })
})
