/**
 * Connections without any bytes so far. Node treats them as active to enforce the headers timeout, so a closing server
 * would wait for them.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Returns a function that destroys them; call it once the server accepts no more connections. */
export function watchSilentConnections(server: Server): () => void {
  const open = new Set<Socket>();
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return () => {
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
  };
}
