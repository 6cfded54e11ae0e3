/** Sends text as it arrives, as long as the client is connected and authorized. */
import type { HttpResponse } from '../context/exchange.ts';
import { type HeaderList, type SendFailure, sendPiece } from '../response/send.ts';
import type { LiveReply } from '../routes/route.ts';

export interface LiveOptions {
  /** How long a client can stall. */
  readonly timeoutMs: number;
  /** Checked periodically: whether the client is still authorized. */
  readonly canContinue: () => Promise<boolean>;
  readonly everyMs: number;
}

export async function sendLive(
  reply: HttpResponse,
  headers: HeaderList,
  { pieces, until }: LiveReply,
  { timeoutMs, canContinue, everyMs }: LiveOptions,
): Promise<SendFailure | undefined> {
  const { raw } = reply;
  /** Does not wait for unread bytes. */
  const stop = () => {
    const isStalled = raw.writableLength > 0;
    raw.end();
    if (isStalled) {
      raw.destroy();
    }
  };
  const timer = setInterval(async () => {
    if (!(await canContinue())) {
      stop();
    }
  }, everyMs).unref();
  until.addEventListener('abort', stop);
  try {
    for await (const piece of pieces) {
      await sendPiece(reply, 200, headers, piece, timeoutMs);
      if (raw.destroyed || raw.writableEnded) {
        return undefined;
      }
    }
    raw.end();
    return undefined;
  } catch (error) {
    if (!raw.headersSent) {
      throw error;
    }
    return raw.destroyed || raw.writableEnded ? undefined : { reason: error };
  } finally {
    clearInterval(timer);
    until.removeEventListener('abort', stop);
  }
}
