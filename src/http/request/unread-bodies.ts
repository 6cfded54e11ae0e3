/**
 * Requests that were answered before their body was read to the end, such as an upload that the disk has no room for.
 *
 * The rest of such a body is read and dropped, because many clients read the reply only after they have sent everything.
 * Node does this only for bodies of which nothing was read. A server that stops does not wait for the rest.
 */
import type { IncomingMessage } from 'node:http';

export interface UnreadBodies {
  /** To be called when the reply to a request was written. */
  markAnswered(request: IncomingMessage): void;
  /** From now on such a connection is closed soon after its reply. */
  end(): void;
}

/** Time for a client to read its reply before its connection is closed: closing one with unread bytes discards the reply. */
const LINGER_MS = 500;

export function watchUnreadBodies(): UnreadBodies {
  const unread = new Set<IncomingMessage>();
  let isEnding = false;

  function closeSoon({ socket }: IncomingMessage): void {
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  }

  return {
    markAnswered(request) {
      // Requests that a test injects have no connection, and no such field.
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
