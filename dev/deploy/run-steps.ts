/** Runs the steps of a deployment, or prints their calls. */
import type { Step } from './steps.ts'

interface Options {
  isDryRun: boolean
  print(line: string): void
}

const repeat = 'Stopped. Completed steps stay. Remove the cause, then repeat the command.'

/** Runs the steps in order. If a step fails, throws an Error that says what failed and what to do. */
export async function runSteps(steps: readonly Step[], { isDryRun, print }: Options): Promise<void> {
  for (const [index, step] of steps.entries()) {
    print(`${index + 1}/${steps.length} ${step.title}`)
    if (isDryRun) for (const call of step.calls) print(`    ${call}`)
    else print(`    ${await runStep(step)}`)
  }
  if (isDryRun) print('Nothing was called: this was a dry run.')
}

async function runStep({ run, afterFailure = repeat }: Step): Promise<string> {
  try {
    return await run()
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${afterFailure}`, { cause: error })
  }
}
