/** docs/operate/configuration.md has a row for each variable of the Worker, with its default. */
import { describe, expect, it } from 'vitest'
import { newSigningKeys } from '../../dev/signing-keys.ts'
import { configOf, type Env, variableNames } from '../../src/kernel/env.ts'
import { readDocument, tablesOf } from '../support/documents.ts'

const rows = tablesOf(readDocument('docs/operate/configuration.md'))
  .filter(({ header }) => header.join() === 'Variable,Meaning,Default')
  .flatMap((table) => table.rows)

/** The variables that have no default. */
const required = { DATABASE_URL: 'postgresql://a:b@127.0.0.1/c', SIGNING_KEYS: await newSigningKeys() }

/** The variables whose default depends on other variables. */
const derived = ['PUBLIC_URL']

describe('the tables of variables', () => {
  it('have one row for each variable, and no other rows', () => {
    const named = rows.map(([cell = '']) => cell.replace(' (secret)', ''))
    expect(named.toSorted()).toEqual([...variableNames].toSorted())
  })

  it('have the defaults of src/kernel/env.ts', () => {
    const config: Record<string, unknown> = configOf({ ...required } as Record<string, unknown> as Env)
    const wrong = rows.flatMap(([cell = '', , shown]) => {
      const name = cell.replace(' (secret)', '')
      if (derived.includes(name)) return []
      const isDefault = Object.hasOwn(required, name) ? shown === 'required' : shown === asText(config[name])
      return isDefault ? [] : [{ name, shown, default: asText(config[name]) }]
    })
    expect(wrong).toEqual([])
  })
})

const asText = (value: unknown): string =>
  value === undefined || (value instanceof Set && value.size === 0) ? 'none' : String(value)
