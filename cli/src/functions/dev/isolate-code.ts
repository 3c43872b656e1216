/** What runs in the process of a function. `npm run build:cli` puts the module itself in the place of this one. */
import type { FunctionCode } from '../../../../dev/functions/function-code.ts'

/** Returns the module, from the sources of the repository. */
export const isolateCode = async (): Promise<FunctionCode> =>
  (await import('../../../../dev/functions/function-code.ts')).functionCode()
