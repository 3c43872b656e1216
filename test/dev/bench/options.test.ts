/** The options of `npm run bench -- side-by-side`. */
import { describe, expect, it } from 'vitest'
import { readOptions } from '../../../bench/side-by-side/options.ts'

describe('the options of side-by-side', () => {
  it.each([
    [['--nothing'], "Unknown option '--nothing'"],
    [['--questions', 'get,nothing'], '--questions: nothing is not one of healthz,get,'],
    [['--peers', 'nobody'], '--peers: nobody is not one of floor,raw,postgrest,directus.'],
    [['--seconds', '0'], '--seconds takes numbers above 0.'],
    [['--concurrency', '1,many'], '--concurrency takes numbers above 0.'],
  ])('%j is refused with the valid options', (args, message) => {
    expect(() => readOptions(args)).toThrow(message)
    expect(() => readOptions(args)).toThrow('Usage: npm run bench -- side-by-side [options]')
  })

  it('by default include every question and every peer', () => {
    const { asked, peers, plan, size, keep } = readOptions([])
    expect(asked).toHaveLength(11)
    expect({ peers, plan, size, keep }).toEqual({
      peers: ['floor', 'raw', 'postgrest', 'directus'],
      plan: { rounds: 3, seconds: 3, concurrencies: [1, 16, 64] },
      size: { products: 100_000, orders: 200_000, customers: 10_000, employees: 10_000 },
      keep: false,
    })
  })

  it('keep the questions in the order of the table', () => {
    expect(readOptions(['--questions', 'bulk,get']).asked.map(({ name }) => name)).toEqual(['get', 'bulk'])
  })
})
