/** The functions of the system: one row each. E2. */
import { failure, type Outcome, type Run, success } from './runner.ts'

const messageLengthMax = 65_536

const systemFunctions = new Map<string, (run: Run) => Outcome>([
  [
    'log',
    ({ params }) => success(null, [{ at: new Date().toISOString(), level: 'info', message: params.slice(0, messageLengthMax).toWellFormed() }]),
  ],
  ['noop', () => success(null)],
  ['fail', () => failure('The system function "fail" always fails.')],
])

export const runSystemFunction = async (run: Run): Promise<Outcome> =>
  systemFunctions.get(run.function.system_function)?.(run) ?? failure('There is no such system function.', [], true)
