/** Reads messages between threads in sequence. */
import type { MessagePort } from 'node:worker_threads';
import { recordProgress } from './activity.ts';

/** Options for reading a port. */
interface MessageReaderOptions<M> {
  /** Called for each message on arrival; returns false to drop it. */
  readonly filter?: (message: M) => boolean;
  /** The message to deliver when the port closes; none by default. */
  readonly whenClosed?: M;
}

/** Returns the messages of a port one by one. */
export function createMessageReader<M>(
  port: MessagePort,
  { filter, whenClosed }: MessageReaderOptions<M> = {},
): { next(): Promise<M> } {
  const waiting: M[] = [];
  let wake: ((message: M) => void) | undefined;
  const receiveMessage = (message: M): void => {
    if (filter?.(message) === false) return;
    if (wake === undefined) {
      waiting.push(message);
    } else {
      wake(message);
      wake = undefined;
    }
  };
  port.on('message', receiveMessage);
  if (whenClosed !== undefined) port.on('close', () => receiveMessage(whenClosed));
  return {
    next: () =>
      new Promise<M>((resolve) => {
        // A thread that reads messages is not stuck.
        recordProgress();
        const first = waiting.shift();
        if (first === undefined) wake = resolve;
        else resolve(first);
      }),
  };
}
