/** docs/operate/costs.md: the example equals the formulas with the prices and the load on this page. */
import { expect, it } from 'vitest'
import { readDocument, tablesOf } from '../support/documents.ts'

const tables = tablesOf(readDocument('docs/operate/costs.md'))
const numberOf = (cell = ''): number => Number(cell.replaceAll(',', ''))
const tableOf = (first: string) => tables.find(({ header }) => header[0] === first)

const prices = new Map(
  tableOf('Price')?.rows.map(([name = '', free, unit = '', dollars]) => [
    name,
    { free: numberOf(free), each: /^million/.test(unit) ? 1_000_000 : 1, dollars: numberOf(dollars) },
  ]),
)
const loads = new Map(tableOf('Load')?.rows.map(([name = '', value]) => [name, numberOf(value)]))

function load(name: string): number {
  const value = loads.get(name)
  if (value === undefined) throw new Error(`there is no load "${name}"`)
  return value
}

/** Returns the price of an amount, without its free part. */
function cost(name: string, amount: number): number {
  const price = prices.get(name)
  if (!price) throw new Error(`there is no price "${name}"`)
  return (Math.max(0, amount - price.free) / price.each) * price.dollars
}

const hoursOfMonth = 730

function compute(sites: number, requests: number): number {
  const databases = Math.ceil(sites / load('Sites in a database'))
  const hours =
    (requests / databases) * (load('CPU time of Postgres for a request, milliseconds') / 3_600_000)
  const smallest = load(`Smallest compute of a database with ${sites === 1 ? 'one site' : 'many sites'}, CU`)
  const ofEach = Math.max(
    hoursOfMonth * smallest,
    hours / load('Part of the time of a CU that requests may take'),
  )
  return cost(sites === 1 ? 'Compute, Launch' : 'Compute, Scale', databases * ofEach)
}

/** Returns the lines of the example for a number of sites, in order. */
function linesOf(sites: number): [name: string, dollars: number][] {
  const requests = sites * load('Requests')
  const calls = requests * load('Calls of Durable Objects for a request')
  const seconds = load('Duration of such a call, milliseconds') / 1000
  const amounts: [name: string, amount: number][] = [
    ['Workers Paid', 1],
    ['Requests', requests],
    ['CPU time', requests * load('CPU time of the Worker for a request, milliseconds')],
    ['Calls of Durable Objects', calls],
    ['Duration of Durable Objects', calls * seconds * 0.128],
    ['Operations of queues', requests * load('Messages of queues for a request') * 3],
    ['Lines of the log', requests],
  ]
  const stored = load('Stored data of a site, GB') + load('Storage of an empty site, GB')
  const atNeon: [name: string, amount: number][] = [
    ['Storage', sites * stored],
    ['History for restores', sites * load('Changed data in the restore window, GB')],
    ['Transfer', (requests * load('Kilobytes from Postgres for a request')) / 1_000_000],
  ]
  const costOf = ([name, amount]: [string, number]): [string, number] => [name, cost(name, amount)]
  const lines = [
    ...amounts.map(costOf),
    ['Compute', compute(sites, requests)] as [string, number],
    ...atNeon.map(costOf),
  ]
  const together = lines.reduce((sum, [, dollars]) => sum + dollars, 0)
  return [...lines, ['Together', together], ['For each site', together / sites]]
}

const written = (dollars: number): string =>
  dollars.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

it('docs/operate/costs.md has an example with columns for 1, 1,000 and 100,000 sites, and each figure is correct', () => {
  const example = tableOf('Dollars a month')
  expect(example?.header.slice(1)).toEqual(['1 site', '1,000 sites', '100,000 sites'])
  const columns = [1, 1_000, 100_000].map(linesOf)
  const computed = columns[0]?.map(([name], index) => [
    name,
    ...columns.map((column) => written(column[index]?.[1] as number)),
  ])
  expect(example?.rows).toEqual(computed)
})
