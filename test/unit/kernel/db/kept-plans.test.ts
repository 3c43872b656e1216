/** When an isolate asks the sessions of Postgres to keep the plan of a read. */
import { describe, expect, it } from 'vitest'
import type { Row } from '../../../../src/kernel/db/batch.ts'
import { withKeptPlan } from '../../../../src/kernel/db/kept-plans.ts'

/** Sends a read of a site, and returns whether its plan was to be kept. `isMissing`: the session has no plan. */
async function keeps(siteId: number, isMissing: boolean): Promise<boolean> {
  let isKept = false
  await withKeptPlan(
    { siteId, catalogVersion: 1 },
    { templates: [`rselect id from "site_${siteId}"."parts" where id = %1$L`], values: ['1'], largest: null },
    async ({ templates }): Promise<Row[]> => {
      isKept = templates.length === 2
      return isMissing ? [{ n: null, answer: 'true' }] : []
    },
  )
  return isKept
}

async function countKept(siteId: number, uses: number, isMissing: boolean): Promise<number> {
  let count = 0
  for (let use = 0; use < uses; use++) if (await keeps(siteId, isMissing)) count++
  return count
}

describe('the plan of a read', () => {
  it('is to be kept from the third use in a minute on', async () => {
    expect([await keeps(1, false), await keeps(1, false), await keeps(1, false)]).toEqual([
      false,
      false,
      true,
    ])
  })

  it('is not kept for ten minutes if the sessions lacked most of the plans of its site, and only of this site', async () => {
    await countKept(2, 2, false)
    await countKept(3, 50, false)
    expect(await countKept(2, 500, true)).toBe(200)
    expect(await countKept(3, 500, false)).toBe(500)
    expect(await countKept(2, 10, false)).toBe(0)
  })

  it('is not kept if it is less than a 32nd part of the reads of a minute', async () => {
    for (let use = 0; use < 10; use++)
      for (let site = 100; site < 200; site++) expect(await keeps(site, false)).toBe(false)
  })

  it('is still kept if the sessions had half of the plans of its site', async () => {
    await countKept(4, 100, false)
    for (let use = 0; use < 250; use++)
      expect([await keeps(4, true), await keeps(4, false)]).toEqual([true, true])
  })
})
