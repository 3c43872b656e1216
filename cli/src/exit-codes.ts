/** The exit codes of the process. docs/guide/cli.md#exit-codes. */
export const exitCodes = {
  done: 0,
  /** The service rejected the request, or another error occurred. */
  failed: 1,
  /** The command line is wrong. */
  usage: 2,
  /** Not signed in, or not permitted. */
  forbidden: 3,
  notFound: 4,
  /** A conflict: somebody else changed the object, or it already exists. */
  conflict: 5,
  /** `schema diff --check`: the files and the service differ. */
  different: 6,
  /** The service did not answer, or is too busy. */
  unavailable: 7,
  /** Ctrl-C. */
  interrupted: 130,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]
