/** The running source: GET requests to its origin, few at once, with deadlines and size limits. Redirects are not followed. */
import type { Agent, IncomingMessage } from 'node:http';
import { createConcurrencyLimiter } from '../../../lib/async/concurrency-limiter.ts';
import { CommandError } from '../../client/command.ts';
import { createConnectionPool, formatBasicCredentials, type Login, sendRequest } from '../../client/send-request.ts';
import { MoveInError } from '../report/move-in-error.ts';

/** Little enough not to disturb other clients of a server in production. */
const MAX_REQUESTS = 4;

/** A connection that is reset is often one that the server closed because it was idle. */
const MAX_TRIES = 3;

export interface SourceAddress {
  /** The context of the server without a slash at the end, such as `https://old.example/geoserver`. */
  readonly url: URL;
  readonly login: Login | undefined;
}

export interface RequestDeadlines {
  /** The time without a byte after which a request ends. */
  readonly stallMs: number;
  /** The time after which a request ends, even if bytes arrive. */
  readonly requestMs: number;
  /** As `requestMs`, for data files. */
  readonly downloadMs: number;
}

/** Listings of large directories take a minute on slow disks; the largest document has 64 MB, the largest data file 16 GB. */
const DEADLINES: RequestDeadlines = { stallMs: 60_000, requestMs: 600_000, downloadMs: 86_400_000 };

export interface SourceReply {
  readonly status: number;
  /** The Content-Type in lower case. */
  readonly type: string;
  /** The type of the resource at `/rest/resource`: `directory` or `resource`; empty elsewhere. */
  readonly resourceType: string;
  /** Undefined if the body exceeds the limit, is not wanted, or was received elsewhere. */
  readonly bytes: Buffer | undefined;
}

export interface SourceRequest {
  readonly maxBytes: number;
  /** Whether the body of a successful response is read; by default it is. */
  readonly isWanted?: (reply: Omit<SourceReply, 'bytes'>) => boolean;
  /**
   * Takes the body of a successful response instead of `bytes`. It is called again after an interruption. A body that
   * exceeds the limit is a `BodyTooLargeError`.
   */
  readonly receive?: (pieces: AsyncIterable<Buffer>) => Promise<void>;
}

export class SourceServer {
  readonly #url: URL;
  readonly #login: Login | undefined;
  readonly #deadlines: RequestDeadlines;
  readonly #limit = createConcurrencyLimiter(MAX_REQUESTS);
  readonly #closing = new AbortController();
  #connections: Promise<Agent> | undefined;

  constructor({ url, login }: SourceAddress, deadlines: RequestDeadlines = DEADLINES) {
    this.#url = url;
    this.#login = login;
    this.#deadlines = deadlines;
  }

  /** The address that messages name. */
  get address(): string {
    return this.#url.href.replace(/\/$/, '');
  }

  /**
   * Sends a GET request to an encoded path below the context, such as `/rest/workspaces.xml`. Throws for a redirect, for
   * missing permissions, and for a server or proxy that is unavailable; returns any other status.
   */
  async get(path: string, request: SourceRequest): Promise<SourceReply> {
    const reply = await this.tryGet(path, request);
    if (reply.status === 401 || reply.status === 403) throw this.#createForbiddenError(path, reply.status);
    if ([429, 502, 503, 504].includes(reply.status)) {
      throw new MoveInError(
        'source-unreadable',
        `The source is unavailable: ${this.address}${path} returns status ${reply.status}. Try again later.`,
      );
    }
    return reply;
  }

  /** As `get`, but returns every status except those of redirects. */
  async tryGet(path: string, request: SourceRequest): Promise<SourceReply> {
    return this.#limit(async () => {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await this.#receive(path, request);
        } catch (error) {
          if (!(error instanceof InterruptedError)) throw error;
          if (attempt === MAX_TRIES) throw new MoveInError('source-unreadable', error.message);
        }
      }
    });
  }

  /** Ends running requests, and further ones at once. */
  async close(): Promise<void> {
    this.#closing.abort();
    (await this.#connections)?.destroy();
  }

  async #receive(path: string, { maxBytes, isWanted, receive }: SourceRequest): Promise<SourceReply> {
    const target = new URL(`${this.address}${path}`);
    this.#connections ??= createConnectionPool(target, MAX_REQUESTS);
    const connections = await this.#connections;
    const { stallMs, requestMs, downloadMs } = this.#deadlines;
    const deadline = new Deadline(stallMs, receive === undefined ? requestMs : downloadMs);
    try {
      const reply = await sendRequest(target, {
        headers: { accept: '*/*' },
        authorization: this.#login && formatBasicCredentials(this.#login),
        signal: AbortSignal.any([deadline.signal, this.#closing.signal]),
        connections,
      });
      const { statusCode: status = 0, headers } = reply;
      if (status >= 300 && status < 400) {
        reply.destroy();
        throw createRedirectError(path, target, headers.location);
      }
      const type = (headers['content-type'] ?? '').toLowerCase();
      const resourceType = String(headers['resource-type'] ?? '').toLowerCase();
      const head = { status, type, resourceType };
      if (status === 200 && isWanted?.(head) === false) {
        reply.destroy();
        return { ...head, bytes: undefined };
      }
      const pieces = limitBody(reply, status === 200 ? maxBytes : MAX_ERROR_BYTES, deadline);
      if (status !== 200 || receive === undefined) return { ...head, bytes: await readBody(pieces) };
      await receive(pieces);
      return { ...head, bytes: undefined };
    } catch (error) {
      throw this.#explain(error, path, deadline);
    } finally {
      deadline.clear();
    }
  }

  #explain(error: unknown, path: string, deadline: Deadline): unknown {
    if (error instanceof MoveInError || error instanceof BodyTooLargeError) return error;
    if (this.#closing.signal.aborted) return new MoveInError('cancelled', 'The command ends.');
    if (deadline.seconds !== undefined) {
      return new MoveInError(
        'source-unreadable',
        `The source did not answer within ${deadline.seconds} seconds: ${this.address}${path}.`,
      );
    }
    const reason = error instanceof Error ? error.message : String(error);
    if (!(error instanceof CommandError)) {
      return new InterruptedError(`The response of the source ended early: ${this.address}${path}: ${reason}.`);
    }
    return /\breset\b|hang up/.test(reason)
      ? new InterruptedError(`The source closed the connection without a response: ${this.address}${path}.`)
      : new MoveInError('source-unreadable', reason);
  }

  #createForbiddenError(path: string, status: number): MoveInError {
    const message =
      this.#login === undefined
        ? `The source requires a login for ${this.address}${path} (status ${status}). Use --source-user and --source-password-file with an administrator of the old server.`
        : status === 401
          ? `The source rejects the user '${this.#login.user}' or the password. Check --source-user and --source-password-file.`
          : `The user '${this.#login.user}' may not read ${this.address}${path} (status 403). Use an administrator of the old server.`;
    return new MoveInError('source-forbidden', message);
  }
}

/** Error pages are not read, but a small body keeps the connection usable. */
const MAX_ERROR_BYTES = 65_536;

/** The body of a response exceeds the limit. */
export class BodyTooLargeError extends Error {}

/** The connection ended before the response was complete. */
class InterruptedError extends Error {}

/** Ends a request that makes no progress, or takes too long. */
class Deadline {
  readonly #controller = new AbortController();
  readonly #stallMs: number;
  readonly #total: NodeJS.Timeout;
  #stall: NodeJS.Timeout;
  /** The time that passed if the request was ended. */
  seconds: number | undefined;

  constructor(stallMs: number, totalMs: number) {
    this.#stallMs = stallMs;
    this.#total = setTimeout(() => this.#end(totalMs), totalMs);
    this.#stall = this.#startStall();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Called when bytes arrive. */
  restart(): void {
    clearTimeout(this.#stall);
    this.#stall = this.#startStall();
  }

  clear(): void {
    clearTimeout(this.#total);
    clearTimeout(this.#stall);
  }

  #startStall(): NodeJS.Timeout {
    return setTimeout(() => this.#end(this.#stallMs), this.#stallMs);
  }

  #end(ms: number): void {
    this.seconds = ms / 1_000;
    this.#controller.abort();
  }
}

async function* limitBody(reply: IncomingMessage, maxBytes: number, deadline: Deadline): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const piece of reply as AsyncIterable<Buffer>) {
    deadline.restart();
    size += piece.length;
    // Leaving the loop destroys the response.
    if (size > maxBytes) throw new BodyTooLargeError();
    yield piece;
  }
}

/** Returns undefined if the body exceeds the limit. */
async function readBody(pieces: AsyncIterable<Buffer>): Promise<Buffer | undefined> {
  const read: Buffer[] = [];
  try {
    for await (const piece of pieces) read.push(piece);
  } catch (error) {
    if (error instanceof BodyTooLargeError) return undefined;
    throw error;
  }
  return Buffer.concat(read);
}

function createRedirectError(path: string, target: URL, location: string | undefined): MoveInError {
  const to = location === undefined ? null : URL.parse(location, target.href);
  // Without the query, which can contain a token of a login page.
  const place = to === null ? 'another address' : `${to.origin}${to.pathname}`;
  const context = to?.pathname.endsWith(path.replace(/\?.*$/, '')) ? removeSuffix(to, path) : undefined;
  const remedy =
    context === undefined
      ? 'Use the address that GeoServer itself has, without a login page in front of it.'
      : `Use ${context} as SOURCE.`;
  return new MoveInError(
    'source-redirect',
    `The source redirects ${target.origin}${target.pathname} to ${place}. ${remedy}`,
  );
}

function removeSuffix({ origin, pathname }: URL, path: string): string {
  return `${origin}${pathname.slice(0, pathname.length - path.replace(/\?.*$/, '').length)}`;
}
