/** The rules of `npm run bench -- guard`. */
import { describe, expect, it } from 'vitest'
import { fasterNames, limitOf, slowerNames } from '../../../bench/side-by-side/judgement.ts'

const recorded = { get: 2, list: 2 }

describe('the guard', () => {
  it('fails a measurement whose median of rounds is more than 1.25 times the recorded ratio', () => {
    const series = new Map([
      ['get', [2.4, 2.6, 2.7]],
      ['list', [2.4, 2.5, 9]],
    ])
    expect(slowerNames(series, recorded)).toEqual(['get'])
    expect(limitOf('get', recorded)).toBe(2.5)
  })

  it('fails a measurement without a recorded ratio', () => {
    expect(slowerNames(new Map([['bulk', [0.1]]]), recorded)).toEqual(['bulk'])
  })

  it('names measurements that are so much faster that a new ratio should be recorded', () => {
    const series = new Map([
      ['get', [1.5]],
      ['list', [1.7]],
    ])
    expect(fasterNames(series, recorded)).toEqual(['get'])
  })
})
