/** Sends messages to a queue. */

/** The most messages that a queue takes at once. */
const messagesMax = 100

/** Sends messages in as few parts as the queue allows. Rejects if the queue fails; earlier parts are sent then. */
export async function sendAll<Body>(
  queue: Queue<Body>,
  messages: readonly MessageSendRequest<Body>[],
): Promise<void> {
  for (let sent = 0; sent < messages.length; sent += messagesMax)
    await queue.sendBatch(messages.slice(sent, sent + messagesMax))
}
