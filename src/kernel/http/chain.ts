/** Combines the handlers of a route to one handler. */
import type { Context, ErrorHandler, MiddlewareHandler } from 'hono'
import type { AppEnv } from './app-env.ts'

type Handler = MiddlewareHandler<AppEnv>

/**
 * Returns a handler that runs the given handlers in order, as the application does with mounted handlers:
 * each sees the answer of the following ones, including the answer that `onError` makes of an error. The
 * router is four times as fast if a route has one handler instead of eight.
 */
export function chain(handlers: readonly Handler[], onError: ErrorHandler<AppEnv>): Handler {
  return handlers.reduceRight<Handler>(
    (inner, handler) => (c, next) =>
      answered(c, onError, () =>
        handler(c, async () => {
          await inner(c, next)
        }),
      ),
    (_c, next) => next(),
  )
}

/** Sets the answer of the request to that of the handler, or of the error that the handler throws. */
async function answered(
  c: Context<AppEnv>,
  onError: ErrorHandler<AppEnv>,
  handle: () => ReturnType<Handler>,
): Promise<void> {
  try {
    const response = await handle()
    if (response && !c.finalized) c.res = response
  } catch (thrown) {
    if (!(thrown instanceof Error)) throw thrown
    c.error = thrown
    c.res = await onError(thrown, c)
  }
}
