/** Replaces curl if the machine has none, with the options that the examples of the documents use. */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    silent: { type: 'boolean', short: 's' },
    include: { type: 'boolean', short: 'i' },
    get: { type: 'boolean', short: 'G' },
    request: { type: 'string', short: 'X' },
    header: { type: 'string', short: 'H', multiple: true, default: [] },
    data: { type: 'string', short: 'd', multiple: true, default: [] },
    'data-urlencode': { type: 'string', multiple: true, default: [] },
    'dump-header': { type: 'string' },
    'write-out': { type: 'string' },
  },
})

/** Encodes the value in `name=value`. */
const encoded = values['data-urlencode'].map((pair) => {
  const [name = '', ...rest] = pair.split('=')
  return `${name}=${encodeURIComponent(rest.join('='))}`
})
const data = [...values.data, ...encoded].join('&')
const [address = ''] = positionals
const url = new URL(values.get && data ? `${address}${address.includes('?') ? '&' : '?'}${data}` : address)
const hasBody = !values.get && data !== ''

const response = await fetch(url, {
  method: values.request ?? (hasBody ? 'POST' : 'GET'),
  headers: values.header.map((header): [string, string] => {
    const colon = header.indexOf(':')
    return [header.slice(0, colon), header.slice(colon + 1).trim()]
  }),
  ...(hasBody ? { body: data } : {}),
  redirect: 'manual',
})
const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`)
const head = [`HTTP/1.1 ${response.status} ${response.statusText}`, ...headers, '', ''].join('\r\n')
if (values['dump-header']) writeFileSync(values['dump-header'], head)
process.stdout.write(`${values.include ? head : ''}${await response.text()}`)
process.stderr.write(`${response.status}\n`)
