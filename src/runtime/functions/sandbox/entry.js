/**
 * The main module of a function's isolate: it calls the client's code, and responds with the result and the
 * log of the code as JSON. The client's code can access everything in the isolate, so the service does not
 * trust the response.
 */
import { databaseOf } from './client.js'
import { asText, inCall, logBytesMax, nameOf, withCauses } from './lines.js'
import { mailOf } from './mail.js'
import { during, requestsEnded } from './requests.js'

const { parse, stringify } = JSON

/** Returns the JSON of a result. Throws an error if JSON.stringify would silently drop or change a member. */
function jsonOf(result) {
  return stringify(result ?? null, (name, member) => {
    if (isJson(member)) return member
    const place = name ? `"${name}" is` : 'it is'
    throw new TypeError(`The result is not JSON: ${place} ${kindOf(member)}.`)
  })
}

function isJson(member) {
  if (typeof member === 'number') return Number.isFinite(member)
  if (typeof member === 'object') return member === null || !isOpaque(member)
  return !['function', 'symbol', 'bigint'].includes(typeof member)
}

/** Tells whether JSON would show nothing of an object: a Map, a Promise, a Response. */
function isOpaque(member) {
  const isPlain = [null, Object.prototype, Array.prototype].includes(Object.getPrototypeOf(member))
  return !isPlain && Object.keys(member).length === 0 && typeof member.valueOf() === 'object'
}

function kindOf(member) {
  if (typeof member === 'number') return String(member)
  return `a ${typeof member === 'object' ? member.constructor.name : typeof member}`
}

/** Reads a response: its text, and its content, which is JSON or text, or null if it is empty. */
async function read(response) {
  const text = await response.text()
  const isJson = /^application\/(?:[\w.-]+\+)?json/.test(response.headers.get('content-type') ?? '')
  return { text, content: isJson && text !== '' ? parse(text) : text || null }
}

/** Returns what a returned Response contains. Throws an error for a status of a failure. */
async function contentOf(response) {
  const { text, content } = await read(response)
  if (response.ok) return content
  throw new Error(`The function returned a Response of status ${response.status}: ${text.slice(0, 500)}`)
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
    during(input instanceof Request ? gate.fetch(input, init) : gate.fetch(new URL(input, origin), init))
  const send = async (method, path, body) => {
    const url = new URL(path, origin)
    const sent = body === undefined ? {} : { headers: json, body: stringify(body) }
    const response = await gate.fetch(url, { method, ...sent })
    const { text, content } = await read(response)
    if (!response.ok) throw new ClientError(method, url, response.status, text, content)
    return content
  }
  const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
  const calls = methods.map((method) => [
    method.toLowerCase(),
    (path, body) => during(send(method, path, body)),
  ])
  return Object.freeze({ ...Object.fromEntries(calls), fetch: fetchSite })
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
    const result = await main(params, context)
    return { result: result instanceof Response ? await contentOf(result) : result }
  } catch (error) {
    return {
      error: error instanceof Error ? withCauses(nameOf(error), error) : `Thrown: ${asText(error)}`,
    }
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
    const began = Date.now()
    const { params, context, secrets, variables, timeoutMs, ownMail } = await request.json()
    const mails = []
    // They are not enumerable, so that returning or printing the context shows only its data.
    Object.defineProperties(context, {
      client: { value: clientOf(props.gate) },
      db: { value: databaseOf(origin, (request) => props.gate.fetch(request), during) },
      mail: { value: mailOf(mails, ownMail) },
      secrets: { value: secretsOf(new Map(secrets)) },
      variables: { value: Object.freeze(variables) },
    })
    const teller = props.isLive ? tellerOf(props.gate) : undefined
    const call = { logs: [], bytes: 0, isFull: false, tell: teller?.tell, requests: new Set() }
    const { json, error } = await inCall(call, async () => {
      const outcome = await callFunction(params, context)
      await requestsEnded(timeoutMs - (Date.now() - began))
      return outcomeOf(call, outcome)
    })
    await teller?.told()
    const logs = stringify(call.logs)
    return new Response(
      error === undefined
        ? `{"result":${json},"logs":${logs},"mails":${stringify(mails)}}`
        : `{"error":${stringify(error)},"logs":${logs}}`,
    )
  },
}
