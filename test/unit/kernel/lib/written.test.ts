/** Values as files write them: each is read whole or refused, and a column tells its own form. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { candidatesFor, readIn } from '../../../../src/kernel/lib/written/candidates.ts'
import type { Form } from '../../../../src/kernel/lib/written/form.ts'
import { FormGuess } from '../../../../src/kernel/lib/written/guess.ts'
import { readWritten } from '../../../../src/kernel/lib/written/read-written.ts'
import { runs } from '../../../support/runs.ts'

const signs = [
  [undefined, undefined],
  [undefined, ','],
  [undefined, ' '],
  [undefined, "'"],
  [',', undefined],
  [',', '.'],
  [',', ' '],
  [',', "'"],
  ['.', '.'],
] as const
const formOf = ([decimalChar, groupChar]: (typeof signs)[number]): Form => ({
  ...(decimalChar && { decimalChar }),
  ...(groupChar && { groupChar }),
})
const someForm = fc.constantFrom(...signs.map(formOf))

/** A number as a whole number of units of 10^-scale. */
interface Exact {
  units: bigint
  scale: number
}

/** Reads a number character by character: an evaluator that shares nothing with the reader. */
function evaluate(text: string, { decimalChar = '.', groupChar = '' }: Form): Exact | undefined {
  const characters = [...text.trim()]
  const isDigit = (one: string | undefined) => one !== undefined && one >= '0' && one <= '9'
  let isNegative = false
  if (characters[0] === '-' || characters[0] === '+') isNegative = characters.shift() === '-'
  const take = () => {
    let digits = ''
    while (isDigit(characters[0])) digits += characters.shift()
    return digits
  }
  const groups = [take()]
  while (groupChar !== '' && characters[0] === groupChar) {
    characters.shift()
    groups.push(take())
  }
  if (groups.length > 1) {
    const [first = '', ...others] = groups
    if (first.length < 1 || first.length > 3 || first[0] === '0') return undefined
    if (others.some((group) => group.length !== 3)) return undefined
  }
  const whole = groups.join('')
  let fraction = ''
  if (characters[0] === decimalChar && decimalChar !== groupChar) {
    characters.shift()
    fraction = take()
  }
  if (whole === '' && fraction === '') return undefined
  let power = 0
  if (/^[eE]$/.test(characters[0] ?? '')) {
    characters.shift()
    const sign = /^[-+]$/.test(characters[0] ?? '') ? characters.shift() : ''
    const digits = take()
    if (digits === '') return undefined
    power = Number(`${sign}${digits}`)
  }
  if (characters.length > 0) return undefined
  const units = BigInt(`${whole}${fraction}` || '0')
  return { units: isNegative ? -units : units, scale: fraction.length - power }
}

/** Returns the exact value of a JSON number. */
function valueOfJson(text: string): Exact {
  const [, sign, whole = '', fraction = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? []
  const units = BigInt(whole + fraction)
  return { units: sign ? -units : units, scale: fraction.length - Number(power) }
}

const characters = fc.constantFrom(..."0123456789012.,'. -+e,.".split(''))
const someText = fc.string({ unit: characters, maxLength: 12 })
/** Texts that are nearly numbers: groups of digits with signs between them. */
const nearly = fc
  .tuple(
    fc.constantFrom('', '-', '+'),
    fc.array(fc.tuple(fc.stringMatching(/^\d{1,4}$/), fc.constantFrom('', '.', ',', ' ', "'")), {
      maxLength: 4,
    }),
    fc.constantFrom('', '', 'e3', 'E-2'),
  )
  .map(([sign, groups, power]) => `${sign}${groups.flat().join('')}${power}`)

const read = (type: string, text: string, form: Form) => readWritten(type, text, form)

describe('a number', () => {
  it.each<[text: string, decimalChar?: string, groupChar?: string]>([
    ['12.5', ','],
    ['.5', ','],
    ['1,234.56', ','],
    ['1.2.3,4', ',', '.'],
    ['1.5', ',', '.'],
    ['1.23,4', ',', '.'],
    ['1234.567,8', ',', '.'],
    ['1,5.000', ',', '.'],
    ['0.123', ',', '.'],
    ['.123', ',', '.'],
    ['1..234', ',', '.'],
    ['1.234.', ',', '.'],
    ['12,34,567', '.', ','],
    ['1 2', '.', ' '],
    ['1,5'],
    ['1 000'],
    ['5-'],
    ['(5)'],
    ['- 5'],
    ['0x10'],
    ['１２'],
    ['1e'],
    ['.'],
    [''],
  ])(
    'is refused as a whole: %j with the decimal sign %j and %j between thousands',
    (text, decimalChar, groupChar) => {
      const form = { ...(decimalChar && { decimalChar }), ...(groupChar && { groupChar }) }
      expect(read('number', text, form)).toMatchObject({
        problem: expect.stringContaining('is not a number'),
      })
    },
  )

  it.each([['5-'], ['(5)'], ['5,-'], ['US-$ 5'], ['1.2.3 kg']])(
    'with a unit is refused if what stands around it could change its value: %j',
    (text) => {
      expect(read('number', text, { bareNumber: false })).toHaveProperty('problem')
    },
  )

  it.each([
    ['1\u00a0234,5', { decimalChar: ',', groupChar: ' ' }, '1234.5'],
    ['1\u202f234', { groupChar: ' ' }, '1234'],
    ['1’234.5', { groupChar: "'" }, '1234.5'],
    ['\u22125', {}, '-5'],
    ['$1,234.50 net', { groupChar: ',', bareNumber: false }, '1234.50'],
    ['-5 %', { bareNumber: false }, '-5'],
    ['1.234', { groupChar: '.' }, '1234'],
  ])('may have other blanks, apostrophes and minus signs: %j', (text, form, json) => {
    expect(read('number', text, form)).toEqual({ number: json })
  })

  it('is what an independent evaluator reads, or neither reads it', () => {
    let accepted = 0
    fc.assert(
      fc.property(fc.oneof(someText, nearly), someForm, (text, form) => {
        const reading = read('number', text, form) as { number?: string }
        const wanted = evaluate(text, form)
        if (wanted === undefined) expect(reading).toHaveProperty('problem')
        else {
          accepted++
          expect(valueOfJson(reading.number ?? 'nothing')).toEqual(wanted)
        }
      }),
      { numRuns: runs(2_000, 100_000) },
    )
    expect(accepted).toBeGreaterThan(100)
  })

  it('of a field of whole numbers has no fraction', () => {
    expect(read('integer', '1.5', {})).toHaveProperty('problem')
    expect(read('integer', '1.234', { decimalChar: ',', groupChar: '.' })).toEqual({ number: '1234' })
    expect(read('integer', '1,0', { decimalChar: ',' })).toEqual({ number: '1' })
  })
})

const names = 'January,February,March,April,May,June,July,August,September,October,November,December'.split(
  ',',
)
/** A day of the calendar, by counting days from 1 January 1970. */
const someDay = fc.integer({ min: -50_000, max: 50_000 }).map((day) => new Date(day * 86_400_000))
const two = (value: number) => String(value).padStart(2, '0')
const writers: Record<string, (day: Date) => string> = {
  d: (day) => two(day.getUTCDate()),
  m: (day) => two(day.getUTCMonth() + 1),
  Y: (day) => String(day.getUTCFullYear()),
  b: (day) => (names[day.getUTCMonth()] as string).slice(0, 3),
}
const write = (day: Date, format: string) =>
  format.replace(/%(.)/g, (_, letter: string) => (writers[letter] as (day: Date) => string)(day))
const dateForms = candidatesFor('date', '').filter(({ format }) => format !== undefined && !/%y/.test(format))

describe('a date', () => {
  it.each([
    ['31.02.2026', '%d.%m.%Y'],
    ['00.01.2026', '%d.%m.%Y'],
    ['1.13.2026', '%d.%m.%Y'],
    ['29.02.2023', '%d.%m.%Y'],
    ['1112026', '%d%m%Y'],
    ['3 Octember 2024', '%d %b %Y'],
    ['366-2023', '%j-%Y'],
    ['2026-02-31', undefined],
  ])('is refused if there is no such day: %j in the format %j', (text, format) => {
    expect(read('date', text, format === undefined ? {} : { format })).toHaveProperty('problem')
  })

  it.each([
    ['13:00 PM', '%I:%M %p'],
    ['18:30 AM', '%H:%M %p'],
    ['0:30 AM', '%I:%M %p'],
    ['24:00', '%H:%M'],
    ['12:60', '%H:%M'],
  ])('with a time is refused if there is no such time: %j in the format %j', (text, format) => {
    expect(read('time', text, { format })).toHaveProperty('problem')
    expect(read('datetime', `1.1.2026 ${text}`, { format: `%d.%m.%Y ${format}` })).toHaveProperty('problem')
  })

  it('is the day that was written, in every format', () => {
    fc.assert(
      fc.property(someDay, fc.constantFrom(...dateForms), (day, form) => {
        const text = write(day, form.format as string)
        expect(readIn('date', text, form)).toBe(day.toISOString().slice(0, 10))
      }),
      { numRuns: runs(1_000, 20_000) },
    )
  })
})

describe('the form of a column', () => {
  /** Writes a number with a number of decimal places. */
  const writeNumber = (units: number, places: number, { decimalChar = '.', groupChar = '' }: Form) => {
    const digits = String(Math.abs(units)).padStart(places + 1, '0')
    const whole = digits.slice(0, digits.length - places).replace(/\B(?=(\d{3})+$)/g, groupChar)
    const fraction = places > 0 ? decimalChar + digits.slice(-places) : ''
    return `${units < 0 ? '-' : ''}${whole}${fraction}`
  }
  const exactOf = (units: number, places: number) => evaluate(writeNumber(units, places, {}), {}) as Exact

  it('never gives a number another value, unless all texts are usual numbers, too', () => {
    const outcomes = { same: 0, doubt: 0, usual: 0 }
    const someNumbers = fc.array(
      fc.tuple(
        fc.oneof(fc.integer({ min: 1_000, max: 9_999 }), fc.integer({ min: -9_999_999, max: 9_999_999 })),
        fc.constantFrom(0, 0, 1, 2, 3, 3),
      ),
      { minLength: 1, maxLength: 4 },
    )
    const forms = fc.constantFrom(...signs.slice(0, -1).map(formOf))
    fc.assert(
      fc.property(someNumbers, forms, (numbers, form) => {
        const texts = numbers.map(([units, places]) => writeNumber(units, places, form))
        const column = new FormGuess('number')
        for (const text of texts) column.add(text)
        const guess = column.guess()
        expect(guess).toBeDefined()
        if (guess && 'doubt' in guess) {
          outcomes.doubt++
          expect(guess.doubt.first.value).not.toBe(guess.doubt.second.value)
          return
        }
        const found = guess?.form ?? {}
        const readings = texts.map((text) => valueOfJson(String(readIn('number', text, found))))
        const isUsual = Object.keys(found).length === 0
        const wanted = numbers.map(([units, places]) => exactOf(units, places))
        if (isUsual && JSON.stringify(form) !== '{}') outcomes.usual++
        else {
          outcomes.same++
          expect(readings).toEqual(wanted)
        }
        // With the decimal sign of the file, there is no doubt.
        const told = column.guess({ decimalChar: form.decimalChar ?? '.' })
        if (!told || !('form' in told)) throw new Error(`No form for ${JSON.stringify(texts)}`)
        expect(texts.map((text) => valueOfJson(String(readIn('number', text, told.form))))).toEqual(wanted)
      }),
      { numRuns: runs(500, 20_000) },
    )
    expect(Object.values(outcomes).every((count) => count > 5)).toBe(true)
  })

  it('never gives a date another day: it is the form that was written, or in doubt', () => {
    const outcomes = { same: 0, doubt: 0 }
    fc.assert(
      fc.property(
        fc.array(someDay, { minLength: 1, maxLength: 5 }),
        fc.constantFrom(...dateForms),
        (days, form) => {
          const column = new FormGuess('date')
          const texts = days.map((day) => write(day, form.format as string))
          for (const text of texts) column.add(text)
          const guess = column.guess()
          if (guess && 'doubt' in guess) {
            outcomes.doubt++
            return
          }
          outcomes.same++
          const read = texts.map((text) => readIn('date', text, guess?.form ?? {}))
          expect(read).toEqual(days.map((day) => day.toISOString().slice(0, 10)))
        },
      ),
      { numRuns: runs(500, 10_000) },
    )
    expect(Object.values(outcomes).every((count) => count > 5)).toBe(true)
  })

  it('of texts in different forms is unknown', () => {
    for (const [type, ...texts] of [
      ['number', '1,5', '1.5'],
      ['date', '31.12.1999', '12/31/1999'],
      ['boolean', 'yes', 'nein'],
      ['datetime', '1.1.2026 10:00', '1.1.2026'],
    ] as const) {
      const column = new FormGuess(type)
      for (const text of texts) column.add(text)
      expect([type, column.guess()]).toEqual([type, undefined])
    }
  })

  it('without texts is the usual one', () => {
    expect(new FormGuess('date').guess()).toEqual({ form: {} })
  })
})
