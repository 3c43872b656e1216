/** That a request to somebody else's server was not made, or gave nothing that may be read. The message is for the log. */
export class OutgoingFailure extends Error {
  constructor(reason: string, cause?: unknown) {
    super(reason, { cause })
    this.name = 'OutgoingFailure'
  }
}
