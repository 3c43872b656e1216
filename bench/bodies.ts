/**
 * Measures what it costs to read a body: to scan it, and to scan and parse it, compared with JSON.parse
 * alone. The last bodies are refused, so they are only scanned. CPU time of this process, as medians of
 * rounds in which all take turns.
 */
import { readJson } from '../src/kernel/lib/exact-json.ts'
import { JsonScanner, type JsonShape, valuesMax } from '../src/kernel/lib/json-scan.ts'
import { median } from './stack.ts'

const record: JsonShape = { members: 'table' }
const records: JsonShape = { ...record, elements: { shape: record, max: 10_000 } }

const customers = (count: number) =>
  Array.from({ length: count }, (_, id) => ({
    id,
    name: `Customer ${id}`,
    email: `customer.${id}@example.org`,
    city: 'Zürich',
    country: 'CH',
    balance: id * 1.25,
    is_active: id % 2 === 0,
    created: '2026-11-29T10:00:00Z',
  }))
const numbers = Array.from({ length: valuesMax - 10 }, (_, index) => index * 3)
/** Returns more members than there may be. Their names begin alike. */
const longNames = (beginning: string) =>
  `{"id":1,"doc":{${Array.from({ length: valuesMax + 1 }, (_, index) => `"${beginning}${index}":1`)}}}`

const bodies: [what: string, json: string, shape: JsonShape][] = [
  ['One record of 8 fields', JSON.stringify(customers(1)[0]), record],
  ['1,000 records', JSON.stringify(customers(1_000)), records],
  ['10,000 records', JSON.stringify(customers(10_000)), records],
  ['A list of 49,990 numbers', JSON.stringify({ id: 1, doc: numbers }), record],
  [
    'An object of 49,990 members',
    JSON.stringify({ id: 1, doc: Object.fromEntries(numbers.map((number) => [`key ${number}`, number])) }),
    record,
  ],
  ['A text of 9 MB', JSON.stringify({ id: 1, note: 'Lorem ipsum dolor sit amet. '.repeat(335_000) }), record],
  ['The same with escapes', JSON.stringify({ id: 1, note: 'He said "yes",\n'.repeat(560_000) }), record],
  ['Refused: long names', longNames('x'.repeat(155)), record],
  ['Refused: long names with one escape', longNames(`\\u0061${'x'.repeat(150)}`), record],
  ['Refused: long names with line breaks', longNames('\\n'.repeat(76)), record],
  ['Refused: long names of escapes', longNames('\\u20ac'.repeat(26)), record],
]

const rounds = 25
/** A round repeats a body until it has read this many bytes. */
const roundBytes = 3_000_000

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Returns the milliseconds of CPU time of one call. */
function cpuOf(times: number, work: () => unknown): number {
  const before = process.cpuUsage()
  for (let run = 0; run < times; run++) work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / times
}

console.log('| Body | KB | `JSON.parse` | Scan | Both | Ratio |\n|---|--:|--:|--:|--:|--:|')
for (const [what, json, shape] of bodies) {
  const bytes = encoder.encode(json)
  const scan = () => new JsonScanner(shape).scan(bytes)
  const times = Math.ceil(roundBytes / bytes.length)
  const isRefused = scan().fault !== undefined
  if (isRefused !== what.startsWith('Refused')) throw new Error(`${what}: ${JSON.stringify(scan().fault)}`)
  const ways = {
    parse: () => JSON.parse(decoder.decode(bytes)),
    scan,
    both: () => readJson(decoder.decode(bytes), Number.POSITIVE_INFINITY, scan()),
  }
  const spent = { parse: [] as number[], scan: [] as number[], both: [] as number[] }
  for (let round = 0; round < rounds; round++)
    for (const way of ['parse', 'scan', 'both'] as const)
      if (way !== 'both' || !isRefused) spent[way].push(cpuOf(times, ways[way]))
  const [parse, scanned, both] = [median(spent.parse), median(spent.scan), median(spent.both)]
  const shown = [parse, scanned, ...(isRefused ? [] : [both])].map((ms) => ms.toPrecision(3))
  const last = isRefused ? ['–', '–'] : [(both / parse).toFixed(2)]
  console.log(`| ${[what, (bytes.length / 1000).toFixed(1), ...shown, ...last].join(' | ')} |`)
}
