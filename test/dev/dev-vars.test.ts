/** The text of .dev.vars: the block of the commands, and the developer's own lines. */
import { parseEnv } from 'node:util'
import { describe, expect, it } from 'vitest'
import { withVariables } from '../../dev/dev-vars.ts'

const opening =
  '# Written by npm start and npm run setup. Add your own lines below this block; they override it.'
const closing = '# End of the generated block.'

describe('.dev.vars', () => {
  it.each([
    ['every kind of quotation mark', `a'b"c\`d`],
    ['a line break', 'a\nb'],
  ])('refuses a value with %s, and names the variable', (_what, value) => {
    expect(() => withVariables('', { SMTP_URL: value })).toThrow(
      'SMTP_URL cannot be written to .dev.vars: it has line breaks or every kind of quotation mark.',
    )
  })

  it('contains every value unchanged', () => {
    const values = { A: '{"keys": [1]}', B: "it's", C: `'"`, D: 'a#b $c = d', E: '' }
    expect(parseEnv(withVariables('', values))).toEqual(values)
  })

  it('keeps the developer’s own lines, which have priority', () => {
    const own = 'RATE_LIMIT_SCALE=7\n# Mine.\nENVIRONMENT=production\n'
    const text = withVariables(own, { ENVIRONMENT: 'development' })
    expect(text).toBe(`${opening}\nENVIRONMENT='development'\n${closing}\n${own}`)
    expect(parseEnv(text)).toEqual({ RATE_LIMIT_SCALE: '7', ENVIRONMENT: 'production' })
  })

  it('gets its block replaced, and stays the same if the variables do', () => {
    const first = withVariables('A=own\n', { DATABASE_URL: 'one', OLD: 'x' })
    const second = withVariables(first, { DATABASE_URL: 'two' })
    expect(second).toBe(`${opening}\nDATABASE_URL='two'\n${closing}\nA=own\n`)
    expect(withVariables(second, { DATABASE_URL: 'two' })).toBe(second)
  })
})
