/**
 * The main module of a function's isolate: it calls the client's code, and responds with the result and the
 * log of the code as JSON. The client's code can access everything in the isolate, so the service does not
 * trust the response.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { databaseOf } from './client.js'

/** The most bytes that a call may print. */
const logBytesMax = 262_144
/** The number of bytes that a line counts in addition to its message. */
const lineBytes = 64

const calls = new AsyncLocalStorage()
const { parse, stringify } = JSON
const encoder = new TextEncoder()

for (const level of ['debug', 'log', 'info', 'warn', 'error', 'trace']) {
  console[level] = (...values) => {
    const call = calls.getStore()
    if (!call || call.isFull) return
    const message = values.map(asText).join(' ')
    if (message.length <= logBytesMax) call.bytes += encoder.encode(message).length + lineBytes
    if (message.length > logBytesMax || call.bytes > logBytesMax) call.isFull = true
    else {
      const line = { at: new Date().toISOString(), level: level === 'log' ? 'info' : level, message }
      call.logs.push(line)
      call.tell?.(line)
    }
  }
}

/** Returns the text of a printed value. */
function asText(value) {
  if (typeof value === 'string') return value
  if (value instanceof Error) return value.stack ?? String(value)
  try {
    return stringify(value) ?? String(value)
  } catch {
    return String(value)
  }
}

/** Returns the JSON of a result. Throws an error if JSON.stringify would silently drop or change a member. */
function jsonOf(result) {
  return stringify(result ?? null, (name, member) => {
    if (isJson(member)) return member
    const place = name ? `"${name}" is` : 'it is'
    const kind = typeof member === 'number' ? String(member) : `a ${typeof member}`
    throw new TypeError(`The result is not JSON: ${place} ${kind}.`)
  })
}

function isJson(member) {
  if (typeof member === 'number') return Number.isFinite(member)
  return !['function', 'symbol', 'bigint'].includes(typeof member)
}

/** The origin of the site's API. The gate, which receives every request of the client, knows it. */
const origin = 'http://site'

/** The error of a failed request of the client, with the status and the body of the answer. */
class ClientError extends Error {
  constructor(method, url, status, text, body) {
    super(`${method} ${url.pathname} was answered with ${status}: ${text.slice(0, 500)}`)
    this.name = 'ClientError'
    this.status = status
    this.body = body
  }
}

/** Returns `context.client`, which calls the API of the site through the gate of this run. */
function clientOf(gate) {
  const fetchSite = (input, init) =>
    input instanceof Request ? gate.fetch(input, init) : gate.fetch(new URL(input, origin), init)
  const send = (method) => async (path, body) => {
    const url = new URL(path, origin)
    const sent = body === undefined ? {} : { headers: json, body: stringify(body) }
    const response = await gate.fetch(url, { method, ...sent })
    const text = await response.text()
    const isJson = /^application\/(?:[\w.-]+\+)?json/.test(response.headers.get('content-type') ?? '')
    const answer = isJson && text !== '' ? parse(text) : text || null
    if (!response.ok) throw new ClientError(method, url, response.status, text, answer)
    return answer
  }
  const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
  const calls = Object.fromEntries(methods.map((method) => [method.toLowerCase(), send(method)]))
  return Object.freeze({ ...calls, fetch: fetchSite })
}

/**
 * Returns `context.secrets`, the values of the secrets that the function declares, by key; null without a
 * value.
 */
function secretsOf(values) {
  const get = (key) => {
    if (!values.has(key)) throw new Error(`The function does not declare the secret "${key}".`)
    const value = values.get(key)
    if (value === null) throw new Error(`Neither the app nor the site has the secret "${key}".`)
    return structuredClone(value)
  }
  return Object.freeze({ get })
}

const json = { 'content-type': 'application/json' }

/**
 * Returns an object that sends lines to the gate, one after the other. `told` waits until all have arrived.
 */
function tellerOf(gate) {
  let all = Promise.resolve()
  const send = (line) => gate.fetch(`${origin}/lines`, { method: 'POST', body: stringify(line) })
  return {
    tell(line) {
      all = all.then(() => send(line)).catch(() => undefined)
    },
    told: () => all,
  }
}

/** Calls the client's code. Returns `{ result }` or `{ error }`. */
async function callFunction(params, context) {
  try {
    const { default: main } = await import('./function.js')
    if (typeof main !== 'function') return { error: 'The code has no default export that is a function.' }
    return { result: await main(params, context) }
  } catch (error) {
    return { error: error instanceof Error ? `${error.name}: ${error.message}` : `Thrown: ${asText(error)}` }
  }
}

/** Returns the JSON of a result, or the error with which the call ends. */
function outcomeOf(call, { error, result }) {
  if (call.isFull) return { error: `The function printed more than ${logBytesMax} bytes.` }
  if (error !== undefined) return { error }
  try {
    return { json: jsonOf(result) }
  } catch (problem) {
    const message = String(problem?.message)
    return { error: message.startsWith('The result') ? message : `The result is not JSON: ${message}` }
  }
}

export default {
  async fetch(request, _env, { props }) {
    const { params, context, secrets, variables } = await request.json()
    // They are not enumerable, so that returning or printing the context shows only its data.
    Object.defineProperties(context, {
      client: { value: clientOf(props.gate) },
      db: { value: databaseOf(origin, (request) => props.gate.fetch(request)) },
      secrets: { value: secretsOf(new Map(secrets)) },
      variables: { value: Object.freeze(variables) },
    })
    const teller = props.isLive ? tellerOf(props.gate) : undefined
    const call = { logs: [], bytes: 0, isFull: false, tell: teller?.tell }
    const { json, error } = outcomeOf(call, await calls.run(call, () => callFunction(params, context)))
    await teller?.told()
    const logs = stringify(call.logs)
    return new Response(
      error === undefined
        ? `{"result":${json},"logs":${logs}}`
        : `{"error":${stringify(error)},"logs":${logs}}`,
    )
  },
}
