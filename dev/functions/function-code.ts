/** The module that runs in every process for functions, and its settings for workerd. */
import { bundle } from '../bundle.ts'
import { workerSettings } from '../worker-settings.ts'

export interface FunctionCode {
  code: string
  compatibilityDate: string
  compatibilityFlags: readonly string[]
}

/** Bundles the module. */
export async function functionCode(): Promise<FunctionCode> {
  const { compatibilityDate, compatibilityFlags } = await workerSettings()
  return {
    code: await bundle('dev/functions/worker.ts'),
    compatibilityDate: compatibilityDate as string,
    compatibilityFlags: compatibilityFlags as string[],
  }
}
