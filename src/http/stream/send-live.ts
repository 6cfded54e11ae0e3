/** Sends text as soon as it is there, for as long as the client listens and may. */
import type { HttpResponse } from '../context/exchange.ts';
import { type HeaderList, type SendFailure, sendPiece } from '../response/send.ts';
import type { LiveReply } from '../routes/route.ts';

export interface LiveOptions {
  /** How long a client may take nothing of what is there. */
  readonly timeoutMs: number;
  /** Whether the client may still hear it; asked every so often. */
  readonly canContinue: () => Promise<boolean>;
  readonly everyMs: number;
}

export async function sendLive(
  reply: HttpResponse,
  headers: HeaderList,
  { pieces, until }: LiveReply,
  { timeoutMs, canContinue: mayGoOn, everyMs }: LiveOptions,
): Promise<SendFailure | undefined> {
  const { raw } = reply;
  /** What it has not taken yet is not waited for. */
  const stop = () => {
    const isStalled = raw.writableLength > 0;
    raw.end();
    if (isStalled) {
      raw.destroy();
    }
  };
  const timer = setInterval(async () => {
    if (!(await mayGoOn())) {
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
