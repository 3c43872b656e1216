/** The error of requests to servers of clients. */

/**
 * A request was not sent, or its response cannot be used. The message is a part of a sentence, for logs and
 * errors.
 */
export class OutgoingFailure extends Error {
  constructor(reason: string, cause?: unknown) {
    super(reason, { cause })
    this.name = 'OutgoingFailure'
  }
}
