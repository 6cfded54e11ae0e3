/** A bounded pool of sessions: callers wait for a limited time, and an abort ends the statement of a session. */
import { createInterruption } from '../../lib/async/interruption.ts';
import type { ConnectionCounts } from '../port/port.ts';
import type { PooledSession, SqlSession } from './session.ts';

export interface PoolOptions {
  readonly open: () => Promise<PooledSession>;
  readonly maxSessions: number;
  /** How long a caller waits for a session while all are in use. */
  readonly maxWaitMs: number;
  readonly idleTimeoutMs: number;
  readonly isLost: (error: unknown) => boolean;
  /** Converts an error of the database to a problem. */
  readonly toProblem: (error: unknown) => unknown;
}

export interface AcquiredSession {
  readonly session: SqlSession;
  /** Settles like the work, or rejects with the abort reason. */
  rejectOnAbort<T>(work: Promise<T>): Promise<T>;
  release(isBroken: boolean): void;
}

/** Thrown to callers that wait too long. */
export class PoolExhaustedError extends Error {
  override readonly name = 'PoolExhaustedError';
}

interface IdleSession {
  readonly session: PooledSession;
  readonly timer: NodeJS.Timeout;
}

export class SessionPool {
  readonly #options: PoolOptions;
  readonly #idle: IdleSession[] = [];
  readonly #waiting: (() => void)[] = [];
  readonly #closings: Promise<void>[] = [];
  #open = 0;
  #isClosed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** Runs `work`, and again on another session if the connection was lost; `work` must be repeatable. */
  async withSession<T>(signal: AbortSignal, work: (session: SqlSession) => Promise<T>): Promise<T> {
    try {
      return await this.#use(signal, work);
    } catch (error) {
      if (!this.#options.isLost(error) || signal.aborted) throw this.toError(error, signal);
    }
    return this.#use(signal, work).catch((error: unknown) => Promise.reject(this.toError(error, signal)));
  }

  /** Returns the abort reason if the signal is aborted, otherwise a problem. */
  toError(error: unknown, signal: AbortSignal): unknown {
    return signal.aborted ? signal.reason : this.#options.toProblem(error);
  }

  /** An abort of the signal releases the session and ends its statement. */
  async acquire(signal: AbortSignal): Promise<AcquiredSession> {
    signal.throwIfAborted();
    const interruption = createInterruption();
    const stopWaiting = (): void => interruption.interrupt(signal.reason);
    signal.addEventListener('abort', stopWaiting, { once: true });
    const taking = this.#take();
    try {
      const session = await interruption.guard(taking);
      return this.#hold(session, interruption, stopWaiting, signal);
    } catch (error) {
      signal.removeEventListener('abort', stopWaiting);
      // A session that arrives after its caller has gone returns to the pool.
      taking.then((session) => this.#giveBack(session, false)).catch(() => undefined);
      throw this.toError(error, signal);
    }
  }

  getCounts(): ConnectionCounts {
    return { open: this.#open, idle: this.#idle.length, waiting: this.#waiting.length };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const wake of this.#waiting.splice(0)) wake();
    for (const { session, timer } of this.#idle.splice(0)) {
      clearTimeout(timer);
      this.#end(session);
    }
    await Promise.all(this.#closings);
  }

  async #use<T>(signal: AbortSignal, work: (session: SqlSession) => Promise<T>): Promise<T> {
    const taken = await this.acquire(signal);
    let isBroken = true;
    try {
      const result = await taken.rejectOnAbort(work(taken.session));
      isBroken = false;
      return result;
    } catch (error) {
      isBroken = signal.aborted;
      throw error;
    } finally {
      taken.release(isBroken);
    }
  }

  #hold(
    session: PooledSession,
    interruption: ReturnType<typeof createInterruption>,
    stopWaiting: () => void,
    signal: AbortSignal,
  ): AcquiredSession {
    let isHeld = true;
    const release = (isBroken: boolean): void => {
      if (!isHeld) return;
      isHeld = false;
      signal.removeEventListener('abort', stopWaiting);
      signal.removeEventListener('abort', stop);
      this.#giveBack(session, isBroken);
    };
    const stop = (): void => release(true);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    return { session, rejectOnAbort: interruption.guard, release };
  }

  async #take(): Promise<PooledSession> {
    const deadlineMs = performance.now() + this.#options.maxWaitMs;
    for (;;) {
      if (this.#isClosed) throw new TypeError('The source is closed.');
      const idle = this.#idle.pop();
      if (idle !== undefined) {
        clearTimeout(idle.timer);
        if (idle.session.isUsable) return idle.session;
        this.#end(idle.session);
        continue;
      }
      if (this.#open < this.#options.maxSessions) return this.#openSession();
      await this.#waitForRelease(deadlineMs - performance.now());
    }
  }

  async #openSession(): Promise<PooledSession> {
    this.#open += 1;
    try {
      return await this.#options.open();
    } catch (error) {
      this.#open -= 1;
      this.#waiting.shift()?.();
      throw error;
    }
  }

  #waitForRelease(maxWaitMs: number): Promise<void> {
    if (maxWaitMs <= 0) return Promise.reject(new PoolExhaustedError('All sessions are in use.'));
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        resolve();
      };
      // The loop of the caller finds that its time is over.
      const timer = setTimeout(() => {
        const place = this.#waiting.indexOf(wake);
        if (place >= 0) this.#waiting.splice(place, 1);
        resolve();
      }, maxWaitMs);
      this.#waiting.push(wake);
    });
  }

  #giveBack(session: PooledSession, isBroken: boolean): void {
    if (isBroken || !session.isUsable || this.#isClosed) {
      if (isBroken || !session.isUsable) session.abort();
      this.#end(session);
    } else {
      const idle: IdleSession = {
        session,
        timer: setTimeout(() => {
          this.#idle.splice(this.#idle.indexOf(idle), 1);
          this.#end(session);
        }, this.#options.idleTimeoutMs).unref(),
      };
      this.#idle.push(idle);
    }
    this.#waiting.shift()?.();
  }

  #end(session: PooledSession): void {
    this.#open -= 1;
    this.#closings.push(session.close().catch(() => undefined));
    // Closed sessions need no reference.
    if (this.#closings.length > this.#options.maxSessions) void Promise.all(this.#closings.splice(0));
  }
}
