/** The SQL statements in comments of the sources equal the statements that the code renders. */
import { describe, expect, it } from 'vitest'
import { parseGraphQuery } from '../../../src/data/graph/parse.ts'
import { planWalk } from '../../../src/data/graph/plan.ts'
import { renderInclude } from '../../../src/data/graph/render.ts'
import walkSource from '../../../src/data/graph/render.ts?raw'
import type { Field } from '../../../src/data/model/field.ts'
import { upsertRecords } from '../../../src/data/providers/writes/upsert.ts'
import upsertSource from '../../../src/data/providers/writes/upsert.ts?raw'
import { planning } from '../../../src/data/query/plan/planning.ts'
import { Problems } from '../../../src/data/query/problems.ts'
import { largestOf, renderTemplate, type Sql } from '../../../src/kernel/db/sql.ts'
import { tableOf } from '../../support/tables.ts'

/** Removes white space and the quotes of identifiers. Writes a number that is sent as text as `…`. */
const plain = (text: string): string =>
  text
    .replaceAll(/case when "?id"? between .*? end as "?id"?,/g, '… ')
    .replaceAll('"', '')
    .replaceAll(/\s+/g, '')

function rendered(statement: Sql): string {
  const values: (string | null)[] = []
  const text = renderTemplate(statement, values, largestOf([statement]), null)
  return plain(
    text.replaceAll(/%(\d+)\$L/g, (_, place) => `'${values[Number(place) - 1]}'`).replaceAll('%%', '%'),
  )
}

function exampleIn(source: string): string {
  const [, comment = ''] = /\/\*\n \* Example: .*?\n \*\n([\s\S]*?)\n \*\//s.exec(source) ?? []
  return plain(comment.replaceAll(/^ \*/gm, ''))
}

describe('the example of a finished statement', () => {
  it('of a walk equals the rendered statement', () => {
    const staff = tableOf('staff', {
      fields: [
        { name: 'id', type: 'integer' },
        { name: 'name', type: 'string', constraints: { maxLength: 100 } },
      ],
      primaryKey: 'id',
      hierarchy: true,
    })
    if (!staff.graph) throw new Error('a hierarchy has a graph')
    const problems = new Problems()
    const parameters = new URLSearchParams('descendants=true&depth=2')
    const query = parseGraphQuery(parameters, 'record', 20, problems)
    const plan = planWalk(planning(staff, problems), { ...staff, graph: staff.graph }, query, '7')
    if (!plan) throw new Error('7 is an id')
    expect(exampleIn(walkSource)).toBe(rendered(renderInclude(plan)))
  })

  it('of an upsert equals the rendered statement', () => {
    const tools = tableOf('tools', {
      fields: [
        { name: 'code', type: 'string', constraints: { required: true, unique: true, maxLength: 50 } },
        { name: 'name', type: 'string', constraints: { maxLength: 100 } },
      ],
      primaryKey: 'code',
    })
    const counts = new Map([
      ['code', 1],
      ['name', 1],
    ])
    const { written } = upsertRecords(tools, {
      input: { text: '[{"code": "T1", "name": "Saw"}]', count: 1, counts, highestIdentity: undefined },
      references: [],
      unique: [tools.fields.get('code') as Field],
      needed: [],
      includeDeleted: false,
      returnsRecords: true,
    })
    expect(exampleIn(upsertSource)).toBe(rendered(written))
  })
})
