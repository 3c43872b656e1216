/** The code for the processes of functions. `npm run build:cli` replaces this module by the code itself. */
import type { FunctionCode } from '../../../../dev/functions/function-code.ts'

/** Returns the code, built from the sources of the repository. */
export const isolateCode = async (): Promise<FunctionCode> =>
  (await import('../../../../dev/functions/function-code.ts')).functionCode()
