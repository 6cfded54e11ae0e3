/**
 * Drains the bodies of requests that were answered before the body was read completely, such as an upload to a full
 * disk.
 *
 * Many clients read the response only after they have sent everything. Node drains only bodies of which nothing was
 * read. A server that stops does not wait for the rest.
 */
import type { IncomingMessage } from 'node:http';

export interface UnreadBodies {
  /** Call it when the response to a request is written. */
  markAnswered(request: IncomingMessage): void;
  /** From now on, closes such connections soon after their response. */
  end(): void;
}

/** Time for the client to read its response: closing a connection with unread bytes discards the response. */
const LINGER_MS = 500;

export function watchUnreadBodies(): UnreadBodies {
  const unread = new Set<IncomingMessage>();
  let isEnding = false;

  function closeSoon({ socket }: IncomingMessage): void {
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  }

  return {
    markAnswered(request) {
      // Injected requests of tests have no connection and leave `complete` undefined.
      if (request.complete !== false || request.destroyed) return;
      unread.add(request);
      request.once('close', () => unread.delete(request));
      request.resume();
      if (isEnding) closeSoon(request);
    },
    end() {
      isEnding = true;
      for (const each of unread) closeSoon(each);
    },
  };
}
