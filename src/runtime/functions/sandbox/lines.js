/**
 * The lines of a call: what the client's code prints, and the errors that it does not handle. They belong to
 * the call in whose asynchronous context they occur.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

/** The most bytes that a call may print. */
export const logBytesMax = 262_144
/** The number of bytes that a line counts in addition to its message. */
const lineBytes = 64
/** The most causes of an error that a text names. An error can be its own cause. */
const causesMax = 5

const calls = new AsyncLocalStorage()
const { stringify } = JSON
const encoder = new TextEncoder()

/** Runs a function whose lines and requests belong to a call. */
export const inCall = (call, run) => calls.run(call, run)

/** Returns the call whose code runs; undefined outside of calls. */
export const currentCall = () => calls.getStore()

/** Adds a line to the current call. */
export function addLine(level, message) {
  const call = currentCall()
  if (!call || call.isFull) return
  if (message.length <= logBytesMax) call.bytes += encoder.encode(message).length + lineBytes
  if (message.length > logBytesMax || call.bytes > logBytesMax) call.isFull = true
  else {
    const line = { at: new Date().toISOString(), level, message }
    call.logs.push(line)
    call.tell?.(line)
  }
}

/** Returns the text of a printed value. */
export function asText(value) {
  if (typeof value === 'string') return value
  try {
    if (value instanceof Error) return withCauses(value.stack ?? String(value), value)
    return stringify(value) ?? String(value)
  } catch {
    return String(value)
  }
}

/** Adds the causes of an error to its text, one a line. */
export function withCauses(text, { cause }) {
  const texts = [text]
  for (let one = cause; one !== undefined && texts.length <= causesMax; one = one?.cause)
    texts.push(one instanceof Error ? nameOf(one) : asText(one))
  return texts.join('\nCaused by: ')
}

/** Returns the name and the message of an error. */
export const nameOf = ({ name, message }) => `${name}: ${message}`

for (const level of ['debug', 'log', 'info', 'warn', 'error', 'trace'])
  console[level] = (...values) => addLine(level === 'log' ? 'info' : level, values.map(asText).join(' '))

const uncaught = (what, error) => addLine('error', `${what}: ${asText(error)}`)

addEventListener('unhandledrejection', ({ reason }) => uncaught('A rejection was not handled', reason))
addEventListener('error', ({ error }) => uncaught('An error was not caught', error))
// workerd reports no error of a callback of these functions.
for (const name of ['setTimeout', 'setInterval', 'setImmediate']) {
  const start = globalThis[name]
  globalThis[name] = (callback, ...rest) => start(reporting(callback), ...rest)
}

/** Returns a callback that adds a line instead of throwing. */
function reporting(callback) {
  if (typeof callback !== 'function') return callback
  return (...values) => {
    try {
      return callback(...values)
    } catch (error) {
      uncaught('An error was not caught in a timer', error)
    }
  }
}
