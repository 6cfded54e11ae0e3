/** Messages between threads, read one after the other. */
import type { MessagePort } from 'node:worker_threads';
import { recordProgress } from './activity.ts';

/** What to make of the messages of a port. */
interface MessageReaderOptions<M> {
  /** Sees each message as soon as it comes, and may take it out. */
  readonly filter?: (message: M) => boolean;
  /** What the other side is taken to say when it is gone; without it nothing is said. */
  readonly whenClosed?: M;
}

/** What comes out of a port, one after the other. */
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
