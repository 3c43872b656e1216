/** The code for the process of a function. `npm run build:cli` replaces this module by the code itself. */
import type { FunctionCode } from '../../../../dev/functions/function-code.ts'

/** Returns the module, from the sources of the repository. */
export const isolateCode = async (): Promise<FunctionCode> =>
  (await import('../../../../dev/functions/function-code.ts')).functionCode()
