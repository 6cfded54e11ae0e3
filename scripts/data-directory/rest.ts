/** Sends the requests that fill a server, and requires that every step succeeds. */
import { fillCredentials } from './credentials.ts';

export interface Rest {
  /** The base of the paths. */
  readonly url: string;
  /** As the administrator; XML and JSON are detected by the first character. */
  send(method: string, path: string, body?: string | Buffer, type?: string): Promise<void>;
  /** As a user of the fixture. */
  sendAs(user: string, method: string, path: string, body: string): Promise<void>;
  json(path: string): Promise<unknown>;
}

export function restOf(url: string): Rest {
  async function call(user: string, method: string, path: string, body?: string | Buffer, type?: string) {
    const reply = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Basic ${Buffer.from(`${user}:${fillCredentials[user]}`).toString('base64')}`,
        ...(body === undefined ? {} : { 'content-type': type ?? typeOf(body) }),
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : new Uint8Array(body) }),
    });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${method} ${path} answered ${reply.status}: ${text}`);
    return text;
  }
  return {
    url,
    async send(method, path, body, type) {
      await call('admin', method, path, body, type);
    },
    async sendAs(user, method, path, body) {
      await call(user, method, path, body);
    },
    json: async (path) => JSON.parse(await call('admin', 'GET', path)) as unknown,
  };
}

function typeOf(body: string | Buffer): string {
  return body.toString('utf8').startsWith('<') ? 'application/xml' : 'application/json';
}

/** A name as a path segment. */
export const part = encodeURIComponent;
