/**
 * Marks the requests of functions. Only this isolate can mark a request; no content of a request can do so.
 */
import type { FunctionRun } from '../context.ts'

const runs = new WeakMap<Request, FunctionRun>()

export const markRequest = (request: Request, run: FunctionRun): void => void runs.set(request, run)

/** Returns the run that makes a request. Null: a client makes it. */
export const runOf = (request: Request): FunctionRun | null => runs.get(request) ?? null
