/** Responds to malformed and incomplete HTTP requests; route, format and user are unknown. */
import type { Socket } from 'node:net';
import { type Problem, problem } from '../../lib/problems/problem.ts';
import { statusTexts } from './status-texts.ts';

/** Does not log the error: it contains the raw bytes of the request, which can include a password. */
export function sendClientError(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) {
    return;
  }
  // Nothing can be written before TLS begins. The response would wait for the handshake, and the connection with it.
  if ('secureConnecting' in socket && socket.secureConnecting === true) {
    socket.destroy();
    return;
  }
  if (socket.writable) {
    const { status, message } = toClientProblem(error.code);
    const body = `${message}\n`;
    socket.write(
      `HTTP/1.1 ${status} ${statusTexts[status]}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n${body}`,
    );
  }
  socket.destroySoon();
}

function toClientProblem(code: string | undefined): Problem {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return problem('request-timeout', {});
    case 'HPE_HEADER_OVERFLOW':
      return problem('headers-too-large', {});
    case 'HPE_INVALID_URL':
      return problem('url-malformed', {});
    default:
      return problem('http-malformed', {});
  }
}
