/** Suggestions for misspelled names. */
import { describe, expect, it } from 'vitest'
import { nearest } from '../../../../src/kernel/lib/nearest.ts'

const known = ['dry_run', 'allow_data_loss', 'page', 'page_size', 'ids']

describe('the nearest known name', () => {
  it.each([
    ['name', undefined],
    ['', undefined],
    ['x'.repeat(100_000), undefined],
    ['dry', undefined],
    ['size', undefined],
  ])('does not exist for %j, because all names differ too much', (name, expected) => {
    expect(nearest(name, known)).toBe(expected)
  })

  it.each([
    ['dryrun', 'dry_run'],
    ['dry-run', 'dry_run'],
    ['DRY_RUN', 'dry_run'],
    ['dry_urn', 'dry_run'],
    ['dry_runn', 'dry_run'],
    ['allow_dataloss', 'allow_data_loss'],
    ['pages', 'page'],
    ['pgae', 'page'],
    ['page_sise', 'page_size'],
    ['id', 'ids'],
  ])('for %s is %s', (name, expected) => {
    expect(nearest(name, known)).toBe(expected)
  })
})
