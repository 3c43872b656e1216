/** The options of `tessera push`. */
import type { PushOptions } from '../schema/run.ts'

export interface ProjectOptions extends Omit<PushOptions, 'dir' | 'asks'> {
  env?: string
  sites?: string
  organization?: string
  dryRun?: boolean
}
