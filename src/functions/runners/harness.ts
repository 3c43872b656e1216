/**
 * What stands around a client's code in its isolate: the module that answers the Worker. It gives the code its arguments,
 * keeps what it prints, run by run, and turns what it returns into JSON. Nothing that it answers is trusted: the code can
 * reach whatever is in the isolate.
 */

/** What one run may print, in bytes. */
const logBytesMax = 262_144

export const harness = `
import { AsyncLocalStorage } from 'node:async_hooks'

const runs = new AsyncLocalStorage()
const stringify = JSON.stringify
const encoder = new TextEncoder()

for (const level of ['debug', 'log', 'info', 'warn', 'error', 'trace']) {
  console[level] = (...values) => {
    const run = runs.getStore()
    if (!run || run.full) return
    const message = values.map(shown).join(' ')
    if (message.length <= ${logBytesMax}) run.bytes += encoder.encode(message).length + 64
    if (message.length > ${logBytesMax} || run.bytes > ${logBytesMax}) run.full = true
    else run.logs.push({ at: new Date().toISOString(), level: level === 'log' ? 'info' : level, message })
  }
}

function shown(value) {
  if (typeof value === 'string') return value
  if (value instanceof Error) return value.stack ?? String(value)
  try {
    return stringify(value) ?? String(value)
  } catch {
    return String(value)
  }
}

/** As JSON has it, and no less than it: what JSON would leave out or change without a word is no result. */
function jsonOf(value) {
  return stringify(value ?? null, function (name, member) {
    if (['function', 'symbol', 'bigint'].includes(typeof member) || (typeof member === 'number' && !Number.isFinite(member))) {
      throw new TypeError('The result is no JSON: ' + (name ? '"' + name + '" is ' : 'it is ') + (typeof member === 'number' ? String(member) : 'a ' + typeof member) + '.')
    }
    return member
  })
}

async function call(params, context) {
  try {
    const { default: main } = await import('./function.js')
    if (typeof main !== 'function') return { error: 'The code has no default export that is a function.' }
    return { result: await main(params, context) }
  } catch (error) {
    return { error: error instanceof Error ? error.name + ': ' + error.message : 'Thrown: ' + shown(error) }
  }
}

export default {
  async fetch(request) {
    const { params, context } = await request.json()
    const run = { logs: [], bytes: 0, full: false }
    let { error, result } = await runs.run(run, () => call(params, context))
    let json = 'null'
    if (run.full) error = 'The function printed more than ${logBytesMax} bytes.'
    try {
      if (error === undefined) json = jsonOf(result)
    } catch (problem) {
      error = String(problem?.message).startsWith('The result') ? problem.message : 'The result is no JSON: ' + problem?.message
    }
    const logs = stringify(run.logs)
    return new Response(error === undefined ? '{"result":' + json + ',"logs":' + logs + '}' : '{"error":' + stringify(error) + ',"logs":' + logs + '}')
  },
}
`
