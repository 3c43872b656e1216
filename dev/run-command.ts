/** Runs a command. Of an error, only the message is printed, and the exit code is 1. */
export async function runCommand(run: () => Promise<unknown>): Promise<void> {
  try {
    await run()
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
