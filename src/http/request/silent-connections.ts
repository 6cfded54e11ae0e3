/**
 * Connections on which nothing has come yet. Node counts them among those with a request under way, so that their headers
 * cannot be late for ever; when the server ends it would wait for them.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** What is called at the end, once no more connections are taken. */
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
