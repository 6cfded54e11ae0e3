/** The connections of clients: pipelined requests, bodies that are not read, and connections without a request. */
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Waits for its turn on the connection, after the earlier responses are sent. */
export function runAfterEarlierReplies(
  request: FastifyRequest,
  { raw }: FastifyReply,
  answer: () => void,
  gone: () => void,
): void {
  raw.once('socket', (socket: Socket) => {
    request.raw.off('close', gone);
    // Clear the stall timeout of the previous response while this one is computed.
    socket.setTimeout(0);
    answer();
  });
  request.raw.once('close', gone);
}

interface OpenConnections {
  /**
   * Destroys connections that have sent nothing; call it once the server accepts no more connections. Node treats them
   * as active to enforce the headers timeout, so a closing server would wait for them.
   */
  closeSilent(): void;
  closeAll(): void;
}

export function watchConnections(server: Server): OpenConnections {
  const open = new Set<Socket>();
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return {
    closeSilent() {
      for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
    },
    closeAll() {
      for (const socket of open) socket.destroy();
    },
  };
}

interface UnreadBodies {
  /** Call it when the response to a request is written and its body is not read completely. */
  drain(request: IncomingMessage): void;
  /** From now on, closes such connections soon after their response. */
  end(): void;
}

/** Time for the client to read its response: closing a connection with unread bytes discards the response. */
const LINGER_MS = 500;

/**
 * Drains the bodies of requests that were answered before the body was read completely, such as an upload to a full
 * disk. Many clients read the response only after they have sent everything. Node drains only bodies of which nothing
 * was read. A server that stops does not wait for the rest.
 */
export function watchUnreadBodies(): UnreadBodies {
  const unread = new Set<IncomingMessage>();
  let isEnding = false;

  function closeSoon({ socket }: IncomingMessage): void {
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  }

  return {
    drain(request) {
      if (request.destroyed) return;
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
