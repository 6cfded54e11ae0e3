/** Sends requests over keep-alive connections, and can stop in the middle of a request. */
import { Agent, type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { within } from './within.ts';

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  readonly json: () => unknown;
}

export interface RequestOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** `user:password`; the credentials of the client by default, null for an anonymous request. */
  readonly as?: string | null;
}

export interface HttpClient {
  /** Paths are relative to the REST root, except those of health and metrics. */
  request(method: string, path: string, options?: RequestOptions): Promise<Reply>;
  /** Sends the headers only; the caller writes the body and calls `replyTo`. */
  open(method: string, path: string, headers: Readonly<Record<string, string>>): ClientRequest;
  /** Closes the idle connections. */
  close(): void;
}

export interface ClientOptions {
  readonly credentials: string | null;
  readonly maxConnections?: number;
}

export function createClient(restUrl: string, options: ClientOptions): HttpClient {
  const root = new URL(restUrl);
  const agent = new Agent({ keepAlive: true, maxSockets: options.maxConnections ?? Number.POSITIVE_INFINITY });

  function begin(method: string, path: string, how: RequestOptions): ClientRequest {
    const credentials = how.as === undefined ? options.credentials : how.as;
    return httpRequest({
      agent,
      method,
      host: root.hostname.replace(/^\[|\]$/g, ''),
      port: root.port,
      path: /^\/(?:livez|readyz|metrics)$/.test(path) ? path : `${root.pathname}${path}`,
      headers: {
        ...(credentials === null ? {} : { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }),
        ...(how.body === undefined ? {} : typesOf(how.body)),
        ...how.headers,
      },
    });
  }

  return {
    request(method, path, how = {}) {
      const request = begin(method, path, how);
      const reply = replyTo(request);
      request.end(how.body);
      return reply;
    },
    open(method, path, headers) {
      const request = begin(method, path, { headers });
      request.flushHeaders();
      return request;
    },
    close: () => agent.destroy(),
  };
}

/** Waits for the response; a broken connection is an error with its code. */
export function replyTo(request: ClientRequest): Promise<Reply> {
  const reply = new Promise<Reply>((resolve, reject) => {
    request.on('error', reject);
    request.on('response', (response) => readReply(response).then(resolve, reject));
  });
  return within(reply, `the reply to ${request.method} ${request.path}`);
}

async function readReply(response: IncomingMessage): Promise<Reply> {
  const body = await text(response);
  return {
    status: response.statusCode ?? 0,
    headers: Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, value?.toString()])),
    text: body,
    json: () => JSON.parse(body) as unknown,
  };
}

function typesOf(body: string | Buffer): Readonly<Record<string, string>> {
  return {
    'content-type': String(body).startsWith('<') ? 'application/xml' : 'application/json',
    'content-length': String(Buffer.byteLength(body)),
  };
}
