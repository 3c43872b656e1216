/** The tables that the rules of an app name, where some are missing. X2. */
import { expect, it } from 'vitest'
import { rulesOfTables } from '../../../../src/data/model/named-tables.ts'

it('leaves missing tables out of the rules, and rules of which no table is left', () => {
  const all = { name: 'all', tables: '*' as const }
  const some = { name: 'some', tables: ['notes', 'gone'] }
  const none = { name: 'none', tables: ['gone', 'lost'] }
  const isThere = (table: string) => table === 'notes'
  expect(rulesOfTables([all, some, none], isThere)).toEqual({
    rules: [all, { name: 'some', tables: ['notes'] }],
    missing: ['gone', 'lost'],
  })
  expect(rulesOfTables([all], isThere)).toEqual({ rules: [all], missing: [] })
})
