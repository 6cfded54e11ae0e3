/** A stand-in for a running GeoServer: serves a data directory over `/rest/resource`, or its catalog over `/rest` only. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { DirectoryFiles } from './documents.ts';
import { catalogFile, createRestDocuments, type RestDocuments } from './rest-catalog.ts';

export const CONTEXT = '/geoserver';

export interface StandInOptions {
  readonly login?: { readonly user: string; readonly password: string };
  readonly masterPassword?: string;
  /** Whether the catalog is in a database, so that its files are missing. */
  readonly hasDatabase?: boolean;
  /** Replaces an answer; returns true if it did. */
  readonly intercept?: (path: string, response: ServerResponse) => boolean | undefined;
}

export function createStandIn(files: DirectoryFiles, options: StandInOptions = {}): RequestListener {
  const documents: RestDocuments = options.hasDatabase ? createRestDocuments(files) : new Map();
  const shown = options.hasDatabase
    ? Object.fromEntries(Object.entries(files).filter(([path]) => !catalogFile.test(path)))
    : files;
  const standIn = new StandIn(shown, documents, options);
  return (request, response) => {
    if (options.intercept?.(findPath(request), response) === true) return;
    const { status, type, body, headers } = standIn.answer(request);
    const length = Buffer.byteLength(body);
    response.writeHead(status, { 'content-type': type, 'content-length': length, ...headers }).end(body);
  };
}

function findPath({ url = '' }: IncomingMessage): string {
  return decodeURIComponent(new URL(url, 'http://stand-in').pathname);
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

const answer = (status: number, type: string, body: string | Buffer, headers: Answer['headers'] = {}): Answer => ({
  status,
  type,
  body,
  headers,
});

class StandIn {
  readonly #files: ReadonlyMap<string, string | Buffer>;
  /** The children of each directory. */
  readonly #folders = new Map<string, Set<string>>([['', new Set()]]);
  readonly #documents: RestDocuments;
  readonly #options: StandInOptions;

  constructor(files: DirectoryFiles, documents: RestDocuments, options: StandInOptions) {
    this.#files = new Map(Object.entries(files));
    this.#documents = documents;
    this.#options = options;
    for (const path of this.#files.keys()) {
      const segments = path.split('/');
      for (const [index, name] of segments.entries()) {
        const folder = segments.slice(0, index).join('/');
        const children = this.#folders.get(folder) ?? new Set();
        this.#folders.set(folder, children.add(name));
      }
    }
  }

  answer(request: IncomingMessage): Answer {
    const path = findPath(request);
    const { login } = this.#options;
    const expected = login && `Basic ${Buffer.from(`${login.user}:${login.password}`).toString('base64')}`;
    if (expected !== undefined && request.headers.authorization !== expected) {
      return answer(401, 'text/html', '<html><title>401</title></html>', {
        'www-authenticate': 'Basic realm="GeoServer Realm"',
      });
    }
    if (!path.startsWith(`${CONTEXT}/rest/`)) return answer(404, 'text/html', '<html><title>404</title></html>');
    const isJson = new URL(request.url ?? '', 'http://stand-in').searchParams.get('format') === 'json';
    return this.#answerRest(path.slice(`${CONTEXT}/rest`.length), isJson);
  }

  #answerRest(path: string, isJson: boolean): Answer {
    if (path === '/security/masterpw.json') {
      const { masterPassword } = this.#options;
      return masterPassword === undefined
        ? answer(403, 'text/plain', 'Administrative privileges required')
        : answer(200, 'application/json', JSON.stringify({ oldMasterPassword: masterPassword }));
    }
    if (path === '/about/version.xml') return answer(200, 'application/xml', VERSION);
    if (path === '/resource' || path.startsWith('/resource/')) {
      // The other server decodes paths a second time, as forms do.
      const decoded = decodeTwice(path.slice('/resource/'.length));
      if (decoded === undefined) return answer(400, 'text/html', '<html><title>400</title></html>');
      return this.#answerResource(decoded, isJson);
    }
    const document = path.endsWith('.xml') ? this.#documents.get(path.slice(0, -'.xml'.length)) : undefined;
    return document === undefined
      ? answer(404, 'text/plain', 'No such resource')
      : answer(200, 'application/xml', document);
  }

  #answerResource(path: string, isJson: boolean): Answer {
    const content = this.#files.get(path);
    const children = this.#folders.get(path);
    if (content !== undefined) return answer(200, guessType(path), content, { 'resource-type': 'resource' });
    if (children === undefined) return answer(404, 'text/plain', 'Undefined resource path.');
    const headers = { 'resource-type': 'directory' };
    if (!isJson) return answer(200, 'text/html', '<html><title>Directory</title></html>', headers);
    const items = [...children].map((name) => this.#describeChild(path === '' ? name : `${path}/${name}`, name));
    const child = items.length === 1 ? items[0] : items;
    const name = toNumber(path.split('/').at(-1) ?? '');
    const listing = { name, ...(items.length === 0 ? {} : { children: { child } }) };
    return answer(200, 'application/json', JSON.stringify({ ResourceDirectory: listing }), headers);
  }

  #describeChild(path: string, name: string): object {
    const href = `http://old.example${CONTEXT}/rest/resource/${path.split('/').map(encodeURIComponent).join('/')}`;
    const type = this.#folders.has(path) ? 'application/json' : guessType(path);
    return { name: toNumber(name), link: { href, rel: 'alternate', type } };
  }
}

/** Undefined for a path with a malformed escape. */
function decodeTwice(path: string): string | undefined {
  try {
    return decodeURIComponent(path.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/** The library of the other server writes texts that look like numbers as numbers. */
function toNumber(text: string): string | number {
  return /^\d+$/.test(text) ? Number(text) : text;
}

function guessType(path: string): string {
  const [, extension = ''] = /\.(\w+)$/.exec(path) ?? [];
  const types: Readonly<Record<string, string>> = {
    xml: 'application/xml',
    json: 'application/json',
    sld: 'text/xml',
    css: 'text/css',
    png: 'image/png',
    tif: 'image/tiff',
  };
  return types[extension] ?? 'application/octet-stream';
}

const VERSION = `<about>
  <resource name="GeoServer"><Build-Timestamp>27-Jan-2025 07:51</Build-Timestamp><Version>2.26.2</Version></resource>
  <resource name="GeoTools"><Version>32.2</Version></resource>
</about>
`;
